/**
 * Owns a reader of Server-Sent Events for tests: it takes a stream apart strictly, and fails on anything that does not belong
 * into one.
 */
import { API_PREFIX } from '../../lib/kit/api/endpoint.ts'
import type { Loose } from './command-context.ts'
import { eventually } from './eventually.ts'

export type StreamedEvent = { readonly id: number; readonly event: string; readonly data: Loose; readonly text: string }

export type OpenStream = {
  readonly status: number
  readonly headers: Headers
  /** What came until now. */
  readonly received: readonly StreamedEvent[]
  readonly comments: number
  readonly retries: readonly number[]
  readonly isClosed: boolean
  /** Waits until so many events have come in all. */
  events(count: number): Promise<readonly StreamedEvent[]>
  /** Waits until the other side ended it. */
  ended(): Promise<void>
  close(): void
}

export type StreamTarget = { readonly url: string; readonly token: string }

/** Opens a stream; the body of a refusal is thrown. */
export async function openStream(
  { url, token }: StreamTarget,
  path: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const controller = new AbortController()
  const response = await fetch(`${url}${API_PREFIX}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  if (response.status !== 200 || !response.body) throw new StreamRefused(response, await response.json())
  const received: StreamedEvent[] = []
  const retries: number[] = []
  const state = { comments: 0, isClosed: false, fault: undefined as unknown }
  const take = (block: string) => {
    if (block === ':') state.comments++
    else if (block.startsWith('retry: ')) retries.push(Number(block.slice('retry: '.length)))
    else received.push(eventOf(block))
  }
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
    if (text !== '') throw new Error(`the stream ended within ${text}`)
  }
  void read(response.body)
    .catch(error => {
      if (!controller.signal.aborted) state.fault = error
    })
    .finally(() => {
      state.isClosed = true
    })
  const until = async (isSo: () => boolean, what: string) => {
    await eventually(() => isSo() || state.isClosed, { what })
    if (!isSo()) throw new Error(`the stream ended before ${what}`, { cause: state.fault })
  }
  return {
    status: response.status,
    headers: response.headers,
    received,
    retries,
    get comments() {
      return state.comments
    },
    get isClosed() {
      return state.isClosed
    },
    events: async count => {
      await until(() => received.length >= count, `${count} events`)
      return received
    },
    ended: async () => until(() => state.isClosed, 'the end of the stream'),
    close: () => controller.abort(),
  }
}

/** A stream that was refused, with the answer's JSON. */
export class StreamRefused extends Error {
  readonly status: number
  readonly headers: Headers
  readonly body: Loose

  constructor({ status, headers }: Response, body: Loose) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

function eventOf(block: string): StreamedEvent {
  const [, id, event = '', text = ''] = /^id: (\d+)\nevent: ([a-z_.]+)\ndata: (\{[^\n\r]*\})$/.exec(block) ?? []
  if (id === undefined) throw new Error(`no event: ${block}`)
  return { id: Number(id), event, data: JSON.parse(text), text }
}
