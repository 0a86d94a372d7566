/** Reads Server-Sent Events from an answer's bytes. It knows nothing of what they tell. */
import type { Signal } from './platform.ts'

/** `data` is empty where nothing but `retry` came. */
export type Message = { readonly id: string; readonly data: string; readonly retryMs: number | undefined }

/**
 * The messages of a body until it ends, breaks, or is silent for too long; leaving the iteration closes the connection.
 * Throws nothing but the signal's reason.
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  { signal, idleTimeoutMs }: { readonly signal: Signal | undefined; readonly idleTimeoutMs: number },
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader()
  const close = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', close)
  let message = { id: '', data: '', retryMs: undefined as number | undefined }
  try {
    for await (const line of linesOf(reader, { idleTimeoutMs, close })) {
      signal?.throwIfAborted()
      if (line === '') {
        if (message.data !== '' || message.retryMs !== undefined) yield message
        message = { id: '', data: '', retryMs: undefined }
        continue
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (name === 'id') message.id = value
      else if (name === 'data') message.data += message.data === '' ? value : `\n${value}`
      else if (name === 'retry' && /^\d+$/.test(value)) message.retryMs = Number(value)
    }
    signal?.throwIfAborted()
  } finally {
    signal?.removeEventListener('abort', close)
    close()
  }
}

/** What a broken connection left of a line is dropped: its event was not told, and comes again. */
async function* linesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { idleTimeoutMs, close }: { readonly idleTimeoutMs: number; readonly close: () => void },
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  for (;;) {
    const timer = setTimeout(close, idleTimeoutMs)
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const)
    clearTimeout(timer)
    if (done) return
    const [first = '', ...rest] = decoder.decode(value, { stream: true }).split(/\r?\n/)
    begun.push(first)
    for (const next of rest) {
      yield begun.join('')
      begun = [next]
    }
  }
}
