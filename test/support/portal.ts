/** The portal in a browser: signed in, and held to what every screen promises. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import axe from 'axe-core'
import type { Page, Request } from 'playwright-core'
import type { Options, TestBrowser, Visit } from './browser.ts'
import { eventually } from './eventually.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the portal unless it is built: a run of `npm test` begins with it. */
export async function builtPortal(): Promise<void> {
  await promisify(execFile)(process.execPath, [`${ROOT}portal/build.ts`])
}

type Service = { readonly url: string }

/** Signs in by pasting the key, on the screen of this path. */
export async function signedIn(
  browser: TestBrowser,
  service: Service,
  token: string,
  path = '/',
  options: Options = {},
): Promise<Visit> {
  const visit = await browser.visit(`${service.url}/portal${path}`, options)
  await signIn(visit.page, token)
  return visit
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('API key').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Goes to another screen without loading the page anew, as its links do. */
export const show = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/portal${path}`)})`)

/** The form that is open: in a dialog, or on the page on which sales orders are entered. */
export const formOf = (page: Page) =>
  page.getByRole('dialog').or(page.getByRole('form', { name: 'New sales order', exact: true }))

const reading = new WeakMap<Page, Set<Request>>()

/** The requests of the page that have no answer yet, but for the stream of events. */
function readsOf(page: Page): ReadonlySet<Request> {
  const known = reading.get(page)
  if (known) return known
  const open = new Set<Request>()
  page.on('request', request => !request.url().includes('/stream') && open.add(request))
  page.on('requestfinished', request => open.delete(request))
  page.on('requestfailed', request => open.delete(request))
  reading.set(page, open)
  return open
}

/** Goes to another screen, and waits until it has read what it shows. */
export async function showWhole(page: Page, path: string): Promise<void> {
  const reads = readsOf(page)
  // The screen before stays until the next one is there: of this one it is known how it looks.
  const nowhere = page.getByText('no such screen')
  await show(page, '/nowhere')
  await nowhere.waitFor()
  await show(page, path)
  if (path !== '/nowhere') await nowhere.waitFor({ state: 'detached' })
  const isWhole = `document.querySelector('h1') !== null &&
    document.querySelector('[role=progressbar], .mantine-Skeleton-root, .mantine-Loader-root') === null`
  await eventually(async () => (await page.evaluate<boolean>(isWhole)) && reads.size === 0)
}

/** The faults that axe finds on what is shown now, or a part of it, of those that keep people out. */
export async function seriousFaults(page: Page, within = 'html'): Promise<string[]> {
  // Half-faded text has no contrast to measure.
  await page.evaluate('Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})))')
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<Pick<axe.AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ["violations"], preload: false })`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

/** Neither axe finds something serious, nor does anything stand out at the width of a phone, in light and in dark colours. */
export async function fitsAll(t: ExecutionContext, page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    t.deepEqual(await seriousFaults(page), [], `${page.url()} in ${colorScheme} colours`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const fits = await eventually(() => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
  t.true(fits)
  await page.setViewportSize({ width: 1400, height: 900 })
}

/** What every visit ends with: nothing went elsewhere, nothing was forbidden, nothing failed, and the key is nowhere. */
export async function keptToItself(
  t: ExecutionContext,
  { requests, violations, errors, page }: Visit,
  {
    service,
    token,
    expected = /^$/,
  }: { readonly service: Service; readonly token: string; readonly expected?: RegExp },
): Promise<void> {
  t.deepEqual(
    requests.filter(url => !url.startsWith(`${service.url}/`) && !url.startsWith('data:')),
    [],
  )
  t.deepEqual(violations, [])
  t.deepEqual(
    // A crowded machine may answer late; the client asks again.
    errors.filter(text => !expected.test(text) && !/status of 503/.test(text)),
    [],
  )
  for (const address of [...requests, page.url()]) t.false(address.includes(token), address)
  const outliving = await page.evaluate<string>('JSON.stringify({ ...localStorage }) + document.cookie')
  t.false(outliving.includes(token))
}
