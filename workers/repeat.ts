/** Work that repeats for as long as its process runs. */

export type Repeating = { readonly close: () => Promise<void> }

/**
 * Does the work, pauses, and repeats until closed. On close `isClosing` returns true, and `close` waits for running work. The work must not
 * throw.
 * @param pauseMs called after each time: the pause before the next time
 * @param firstMs the pause before the first time
 */
export function repeat(
  work: (isClosing: () => boolean) => Promise<void>,
  { pauseMs, firstMs = 0 }: { readonly pauseMs: () => number; readonly firstMs?: number },
): Repeating {
  let isClosing = false
  let endPause = () => {}
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms).unref()
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const loop = async () => {
    if (firstMs > 0) await pause(firstMs)
    while (!isClosing) {
      await work(() => isClosing)
      if (!isClosing) await pause(pauseMs())
    }
  }
  const looping = loop()
  return {
    close: () => {
      isClosing = true
      endPause()
      return looping
    },
  }
}
