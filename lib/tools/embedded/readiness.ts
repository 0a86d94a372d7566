/** Waits until a service reports that it is ready, and keeps its last lines for the error when it dies before. */
import type { Running } from './child.ts'

const LAST_WORDS_MAX = 20
const PATIENCE_MS = 60_000

type Expectation = {
  /** For messages. */
  name: string
  /** A part of the line with which the service reports that it is ready. */
  ready: string
  /** Receives later lines. */
  onLine: ((line: string) => void) | undefined
}

/**
 * Starts a service and resolves when it reports that it is ready. Rejects with its last lines when it ends before, or when it has written
 * nothing for a minute (a long recovery writes lines).
 */
export async function untilReady(
  expectation: Expectation,
  start: (onLine: (line: string) => void) => Promise<Running>,
): Promise<Running> {
  const lastWords: string[] = []
  let isReady = false
  let patience: NodeJS.Timeout | undefined
  const ready = Promise.withResolvers<void>()
  const silence = Promise.withResolvers<'silent'>()
  const hope = () => {
    clearTimeout(patience)
    patience = setTimeout(() => silence.resolve('silent'), PATIENCE_MS)
  }
  const running = await start(line => {
    if (isReady) return expectation.onLine?.(line)
    hope()
    lastWords.push(line)
    if (lastWords.length > LAST_WORDS_MAX) lastWords.shift()
    if (line.includes(expectation.ready)) {
      isReady = true
      ready.resolve()
    }
  })
  hope()
  const outcome = await Promise.race([ready.promise.then(() => 'ready' as const), running.ended, silence.promise])
  clearTimeout(patience)
  if (outcome === 'ready') return running
  await running.stop()
  throw new Error(`${expectation.name} did not start:\n${lastWords.join('\n')}`)
}
