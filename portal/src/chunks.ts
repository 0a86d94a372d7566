/** The parts that screens consist of. They are loaded when they are needed, or in advance while the page is idle. */
import type { AnyRouter } from '@tanstack/react-router'

/** The first screen loads its data first. */
const BEGIN_MS = 2_000
const [ATTEMPTS, OFFLINE_MS] = [5, 30_000]
const RELOADED = 'millrace.reloaded'
const RELOAD_GAP_MS = 60_000

/**
 * The router reloads the page if an error's message says that a module is missing. Without a connection that would lead to the browser's
 * error page, so the message is replaced.
 */
export function keepPage(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = 'A part of the portal could not be loaded.'
  })
}

/** Loads the screen of the present address while the person is still signing in. */
export function loadPresent(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) partOf(router, routeId).preload?.()
}

type Part = { readonly preload?: () => Promise<unknown> }

/** The part of a screen that is not loaded yet. A loaded one no longer has `preload`. */
const partOf = (router: AnyRouter, routeId: string): Part => router.routesById[routeId]?.options.component ?? {}

const isMissing = ({ preload }: Part): boolean => preload !== undefined

/** The missing parts of the present screen. */
export const missingParts = (router: AnyRouter): readonly Part[] =>
  router.state.matches.map(({ routeId }) => partOf(router, routeId)).filter(isMissing)

/** Loads missing parts as soon as the service answers. Returns whether all are loaded. */
export async function loadMissing(router: AnyRouter): Promise<boolean> {
  const isThere = await fetch('/portal', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return false
  const parts = missingParts(router)
  await Promise.all(parts.map(part => part.preload?.()))
  if (!parts.some(isMissing)) return true
  // The service answers, but the part is missing: the portal has a new version by now, or the browser remembers the failure.
  const reloaded = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - reloaded < RELOAD_GAP_MS) return false
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  return false
}

/** Loads the screens that a key may see, one after the other, so that they work without a connection. */
export async function loadAhead(
  router: AnyRouter,
  can: (scope: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, BEGIN_MS))
  for (const id of Object.keys(router.routesById)) {
    const scope: string | undefined = router.routesById[id]?.options.staticData?.scope
    const part = partOf(router, id)
    if (!isMissing(part) || (scope !== undefined && !can(scope))) continue
    for (let attempt = 1; isMissing(part) && attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) await online()
      await idle()
      if (signal.aborted) return
      await part.preload?.()
    }
  }
}

/** Resolves when the connection comes back, or after a while if the browser did not notice that it was lost. */
const online = (): Promise<unknown> =>
  new Promise(resolve => {
    window.addEventListener('online', resolve, { once: true })
    setTimeout(resolve, OFFLINE_MS)
  })

/** Safari has no event for an idle page. */
const idle = (): Promise<unknown> =>
  new Promise(resolve =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 5_000 }) : setTimeout(resolve, 200),
  )
