/** Sends messages that may be lost, such as signals, without waiting for them. It must not be used where a loss does harm. */

/** With this many unanswered messages no more are sent: otherwise a silent server would fill the memory. */
const UNANSWERED_MAX = 10_000

/** A sender. It never throws. Each sender counts its own unanswered messages. */
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
