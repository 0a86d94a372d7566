/** Waits until the service answers that all of it serves. */
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 100
const ANSWER_MS_MAX = 2_000
const FIRST_WORD_MS = 3_000
const NEXT_WORD_MS = 10_000

/** Polls `url` until it answers 200. `onWaiting` gets what is missing after 3 s and then every 10 s. */
export async function untilServing(url: string, onWaiting: (what: string) => void): Promise<void> {
  let nextWordAt = performance.now() + FIRST_WORD_MS
  for (;;) {
    const answer = await look(url)
    if (answer === null) return
    if (performance.now() > nextWordAt) {
      onWaiting(`waiting for ${url}: ${answer}`)
      nextWordAt = performance.now() + NEXT_WORD_MS
    }
    await delay(POLL_MS)
  }
}

async function look(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    const text = await response.text()
    return response.status === 200 ? null : `${response.status} ${text.slice(0, 200)}`
  } catch {
    return 'no answer yet'
  }
}
