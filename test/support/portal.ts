/** The portal in a browser: signed in, and held to what every screen promises. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { TestBrowser, Visit } from './browser.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the portal unless it is built: a run of `npm test` begins with it. */
export async function builtPortal(): Promise<void> {
  await promisify(execFile)(process.execPath, [`${ROOT}portal/build.ts`])
}

type Service = { readonly url: string }

/** Signs in by pasting the key, on the screen of this path. */
export async function signedIn(browser: TestBrowser, service: Service, token: string, path = '/'): Promise<Visit> {
  const visit = await browser.visit(`${service.url}/portal${path}`)
  await visit.page.getByLabel('API key').fill(token)
  await visit.page.getByRole('button', { name: 'Sign in' }).click()
  await visit.page.getByRole('button', { name: 'Sign out' }).waitFor()
  return visit
}

/** The faults that axe finds on what is shown now, of those that keep people out. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Half-faded text has no contrast to measure.
  await page.evaluate('Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => {})))')
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<Pick<axe.AxeResults, 'violations'>>(
    `axe.run({ resultTypes: ['violations'] })`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
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
    errors.filter(text => !expected.test(text)),
    [],
  )
  for (const address of [...requests, page.url()]) t.false(address.includes(token), address)
  const outliving = await page.evaluate<string>('JSON.stringify({ ...localStorage }) + document.cookie')
  t.false(outliving.includes(token))
}
