/** The parts that screens are made of: loaded when they are needed, and beforehand while nothing else is to do. */
import type { AnyRouter } from '@tanstack/react-router'

/** The first screen reads first. */
const BEGIN_MS = 2_000
const [ATTEMPTS, OFFLINE_MS] = [5, 30_000]
const RELOADED = 'millrace.reloaded'
const RELOAD_GAP_MS = 60_000

/**
 * The router reloads the page where it reads of a missing module in an error's message. Without a connection that leads to the browser's
 * error page.
 */
export function keepPage(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = 'A part of the portal could not be loaded.'
  })
}

/** The screen of the present address is loaded while its reader is still signed in. */
export function loadPresent(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) partOf(router, routeId).preload?.()
}

type Part = { readonly preload?: () => Promise<unknown> }

/** What is still to be loaded of a screen: what is loaded has no `preload` any more. */
const partOf = (router: AnyRouter, routeId: string): Part => router.routesById[routeId]?.options.component ?? {}

const isMissing = ({ preload }: Part): boolean => preload !== undefined

/** Parts of the screen that shows now which are not there. */
export const missingParts = (router: AnyRouter): readonly Part[] =>
  router.state.matches.map(({ routeId }) => partOf(router, routeId)).filter(isMissing)

/** Loads what is missing as soon as the service answers. Whether all of it is there. */
export async function loadMissing(router: AnyRouter): Promise<boolean> {
  const isThere = await fetch('/portal', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return false
  const parts = missingParts(router)
  await Promise.all(parts.map(part => part.preload?.()))
  if (!parts.some(isMissing)) return true
  // The service answers, and the part is not there: the portal is another by now, or the browser remembers the failure.
  const reloaded = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - reloaded < RELOAD_GAP_MS) return false
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  return false
}

/** Loads the screens that a key may see, one after the other, so that they are there when the connection is not. */
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

/** When the connection comes back; after a while where the browser did not notice that it was gone. */
const online = (): Promise<unknown> =>
  new Promise(resolve => {
    window.addEventListener('online', resolve, { once: true })
    setTimeout(resolve, OFFLINE_MS)
  })

/** Safari does not tell when it is idle. */
const idle = (): Promise<unknown> =>
  new Promise(resolve =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 5_000 }) : setTimeout(resolve, 200),
  )
