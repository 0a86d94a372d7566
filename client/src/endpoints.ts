/** What the generated methods stand on: how they call, what they name, and what they answer. */
import type { Entry } from './entry.ts'
import type { List } from './list.ts'
import type { ConditionalOptions, ReadOptions, StreamOptions } from './options.ts'

export type { List } from './list.ts'

/** How a method reaches the service. */
export interface Transport {
  read<T>(path: string, query: object, options?: ReadOptions): Promise<T>
  list<T>(path: string, query: object, options?: ReadOptions): List<T>
  stream<T>(path: string, query: object, options?: StreamOptions): EventStream<T>
  write<T>(method: string, path: string, body: unknown, options?: ConditionalOptions): Promise<T>
}

/** Events in ascending `sequence`, each once, for as long as it is read. */
export type EventStream<T> = AsyncGenerator<T, void, undefined>

/** A group of endpoints. */
export class Endpoints {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}

/** The writes of these names, as entries of a bulk. */
export type Entries<Group, Name extends keyof Group> = {
  readonly [Each in Name]: Group[Each] extends (...taken: infer Taken) => Promise<infer Answer>
    ? (...taken: Taken) => Entry<Answer>
    : never
}

/** A path with ids in it. An id is digits: anything else would name another path, and is a TypeError. */
export function path(texts: TemplateStringsArray, ...ids: readonly string[]): string {
  for (const id of ids) if (!/^\d+$/.test(id)) throw new TypeError(`not an id: ${JSON.stringify(id)}`)
  return String.raw({ raw: texts }, ...ids)
}

/** A path that ends with a reference of your own. `.` and `..` would name other paths, and are a TypeError, as an empty one is. */
export function referencePath(texts: TemplateStringsArray, reference: string): string {
  if (/^(?:\s*|\.\.?)$/.test(reference)) throw new TypeError(`not a reference: ${JSON.stringify(reference)}`)
  return String.raw({ raw: texts }, encodeURIComponent(reference))
}
