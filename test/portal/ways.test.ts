/** The links between the portal's screens, in a real browser: another screen links to each one. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { showWhole, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { PORTAL, portalNouns } from './portal-nouns.ts'
import { portalService } from './portal-service.ts'
import { everyScreen } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

/** Screens of one route differ: an open order has other links than one that is done. */
const VISITS_MAX = 3

const { nouns } = await portalNouns()

/** The paths of all screens, such as `/stock/$id`. */
const routes = [
  ...nouns.flatMap(({ list, path }) => (list === undefined ? [] : [list, `${path}/$id`])),
  ...[...readFileSync(`${PORTAL}src/routes.ts`, 'utf8').matchAll(/screen\(\s*'(\/[^']*)'/g)].map(
    ([, path]) => path ?? '',
  ),
]

/** If two routes match, the one with fewer parameters counts. */
const byParameters = routes.toSorted((one, other) => one.split('$').length - other.split('$').length)
const routeOf = (path: string) =>
  byParameters.find(route => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path))

/** The paths of all links of a screen. */
async function linksOf(page: Page, path: string): Promise<readonly string[]> {
  await showWhole(page, path)
  return page.evaluate(`[...document.querySelectorAll('a[href^="/portal"]')].map(link =>
    new URL(link.getAttribute('href'), location).pathname.replace('/portal', '') || '/')`)
}

test('links lead to every screen, beginning at the first', async t => {
  const { shop } = await everyScreen(service)
  const { page } = await signedIn(browser, service, shop.token)
  t.true(routes.length > 50)
  const visited = new Set<string>()
  const visits = new Map<string, number>()
  const ahead = ['/']
  for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
    const route = routeOf(path)
    if (route === undefined) {
      t.fail(`a link leads to ${path}, which is no screen`)
      continue
    }
    const times = visits.get(route) ?? 0
    if (visited.has(path) || times >= VISITS_MAX) continue
    visited.add(path)
    visits.set(route, times + 1)
    ahead.push(...(await linksOf(page, path)))
  }
  // Only the steps for chosen orders open these (many-orders.test.ts).
  t.deepEqual(
    routes.filter(route => !visits.has(route)),
    ['/print/pick-lists', '/print/packing-slips'],
  )
})
