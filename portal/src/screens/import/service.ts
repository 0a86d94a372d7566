/** The service as the portal's import uses it: writes go in bulks, as dry runs or for good, and all wait for the key's rate. */
import { ApiError, type BulkResult, Millrace } from '@millrace/client'
import type { Entry, Result, Service } from '../../../../imports/service.ts'
import { type Fields, readValue } from '../../../../imports/values.ts'
import { gathered, type Told } from './gathered.ts'
import { hashOf } from './hash.ts'
import { ENTRIES_MAX, errorOf, isFinal, type Room, rehearsed, type Send, toldOf } from './rehearsed.ts'

/** The most entries of a bulk. Other users of the same key need a part of its rate too. */
const PART_MAX = 50
const WAIT_MS = 1_000

type Sending = {
  readonly token: string
  readonly burst: number
  readonly signal: AbortSignal
}

export const partOf = (burst: number): number => Math.max(1, Math.min(PART_MAX, Math.floor(burst / 2)))

/** @param room for dry runs; null: writes are done for good */
export function serviceOf({ token, burst, signal }: Sending, room: Room | null): Service {
  const client = new Millrace({ baseUrl: '', token, parse: readValue })
  const send = (entries: readonly Entry[], how: { readonly mode: 'all' | 'each'; readonly dryRun?: boolean }) =>
    client.bulk(
      entries.map(({ method, path, key, body }) => ({ method, path, idempotency_key: key, body })),
      { ...how, signal },
    ) as Promise<readonly BulkResult<Fields>[]>
  const ask = room === null ? done : rehearsed(room, burst)
  return {
    isDry: room !== null,
    entriesMax: Math.min(ENTRIES_MAX, burst),
    hash: hashOf,
    read: path => patiently(signal, () => read(client, path, signal)),
    write: gathered(entries => ask(entries, send), partOf(burst)),
  }
}

async function done(entries: readonly Entry[], send: Send): Promise<readonly Told<Result>[]> {
  const results = await send(entries, { mode: 'each' })
  const last = results.findIndex(isFinal)
  return results.map((result, at) => (last >= 0 && at >= last ? { error: errorOf(results[last]) } : toldOf(result)))
}

/** A record by its reference, or a page of a list. */
async function read(client: Millrace, path: string, signal: AbortSignal): Promise<Fields | null> {
  const { pathname, searchParams } = new URL(path, 'http://service')
  const [, list = '', id, ref] = pathname.split('/')
  const query = Object.fromEntries(searchParams)
  const name = list.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const group = (client as unknown as Readonly<Record<string, Readable | undefined>>)[name]
  if (group === undefined) throw new TypeError(`nothing is read at ${path}`)
  try {
    if (ref !== undefined) return (await group.getByRef(decodeURIComponent(ref), { signal })) as Fields
    return (await (id === undefined ? group.list(query, { signal }) : group.get(id, { signal }))) as Fields
  } catch (error) {
    // A text that cannot be looked up (400) is the name of no record.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}

type Readable = {
  readonly get: (id: string, options: { readonly signal: AbortSignal }) => Promise<unknown>
  readonly list: (query: object, options: { readonly signal: AbortSignal }) => PromiseLike<unknown>
  readonly getByRef: (ref: string, options: { readonly signal: AbortSignal }) => Promise<unknown>
}

/** Repeats calls that the key's rate refuses. Many reads wait for it together. */
async function patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
      signal.throwIfAborted()
      const { retryAfterMs = WAIT_MS } = error
      await new Promise(resolve => setTimeout(resolve, retryAfterMs))
    }
}
