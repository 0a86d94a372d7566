/** Runs steps, several at once. It knows nothing of rows. */

/**
 * Runs steps until one returns that there is no more, or throws. A step may ask whether another one threw. All steps end before the first
 * error is passed on: none may continue to send unnoticed.
 */
export async function sideBySide(atOnce: number, step: (isStopped: () => boolean) => Promise<boolean>): Promise<void> {
  let failure: { readonly error: unknown } | null = null
  const isStopped = () => failure !== null
  const run = async () => {
    try {
      while (!isStopped() && (await step(isStopped))) {}
    } catch (error) {
      failure ??= { error }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  if (failure !== null) throw (failure as { readonly error: unknown }).error
}
