/** Sends what nobody waits for and others find without it, such as signals. It must not be used where a loss does harm. */

/** Beyond so many without an answer nothing more is sent: a store that is silent for long must not fill the memory. */
const UNANSWERED_MAX = 10_000

/** A sender: it never throws and counts for itself what is not answered. */
export function mayBeLost(): (send: () => Promise<unknown>) => void {
  let unanswered = 0
  return send => {
    if (unanswered >= UNANSWERED_MAX) return
    unanswered++
    send()
      .catch(() => {})
      .finally(() => unanswered--)
  }
}
