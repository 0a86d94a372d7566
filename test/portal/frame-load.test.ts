/** The start of the portal: which files it loads first, and what it shows meanwhile. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { signIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { everyScreen } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ASSETS = `${ROOT}portal/dist/assets/`
const FIRST_LOAD_BYTES_MAX = 230_000

const read = (name: string) => readFileSync(ASSETS + name, 'utf8')
/** Class names of the components, as the library makes them. */
const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g))

test('what is loaded first is small, and its styles cover every component of the scripts', t => {
  const html = readFileSync(`${ROOT}portal/dist/index.html`, 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/portal\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '')
  t.true(named.length >= 3)
  const bytes = named.reduce((sum, name) => sum + gzipSync(readFileSync(ASSETS + name)).length, 0)
  t.true(bytes <= FIRST_LOAD_BYTES_MAX, `${bytes} bytes`)
  const names = readdirSync(ASSETS)
  const styled = classesOf(
    names
      .filter(name => name.endsWith('.css'))
      .map(read)
      .join(),
  )
  const library = classesOf(readFileSync(`${ROOT}node_modules/@mantine/core/styles.css`, 'utf8'))
  const used = classesOf(
    names
      .filter(name => name.endsWith('.js'))
      .map(read)
      .join(),
  )
  t.true(used.size > 100)
  t.deepEqual([...used.intersection(library).difference(styled)], [])
})

test('on a slow connection words show within two seconds; the first screen needs few requests', async t => {
  const shop = await service.tenant()
  const visit = await browser.visit('about:blank')
  const { page } = visit
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const slow = { offline: false, latency: 600, downloadThroughput: 50_000, uploadThroughput: 50_000 }
  await session.send('Network.emulateNetworkConditions', slow)
  await page.goto(`${service.url}/portal`, { waitUntil: 'commit' })
  await page.getByText('The portal is loading').waitFor()
  const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
  const shown = await page.evaluate<number>(paint)
  t.true(shown < 2_000, `${shown} ms`)
  t.is(await page.getByLabel('API key').count(), 0)
  await session.send('Network.emulateNetworkConditions', { ...slow, latency: 0, downloadThroughput: -1 })
  await page.getByLabel('API key').waitFor()
  const before = visit.requests.length
  await signIn(page, shop.token)
  await page.getByText('over 0 variants and places').waitFor()
  await page.getByText('Nothing is short').waitFor()
  const reads = visit.requests.slice(before).filter(url => url.includes('/api/external/v1/'))
  t.true(reads.length <= 26, reads.join('\n'))
})

test('the first screen of a shop asks the interface as often as portal/README.md says', async t => {
  const { shop } = await everyScreen(service)
  const visit = await browser.visit(`${service.url}/portal`)
  const { page } = visit
  // The orders of the last shipments are read last.
  const last = page.waitForResponse(/\/sales-orders\?id=/)
  await signIn(page, shop.token)
  await last
  await page.locator('main [role=progressbar], .mantine-Skeleton-root, main .mantine-Loader-root').first().waitFor({
    state: 'detached',
  })
  // A crowded machine may answer late; the client asks the same again.
  const asked = new Set(visit.requests.filter(url => url.includes('/api/external/v1/')))
  const [, stated] =
    /asks the API (\d+) times/.exec(readFileSync(`${ROOT}portal/README.md`, 'utf8').replace(/\s+/g, ' ')) ?? []
  t.is(asked.size, Number(stated), [...asked].join('\n'))
})
