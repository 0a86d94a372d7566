/**
 * How long people wait for the portal's first screen, in a browser that knows nothing yet: `node bench/first-screen.ts` tells it for a
 * small tenant and for one of 20,000 variants and 200,000 orders. portal/README.md has what came out.
 */
import { defaultLimits, issueKey } from '../lib/access/keys.ts'
import { scopes } from '../lib/nouns.ts'
import { HUGE_TENANT } from '../test/scaling/skewed-tenants.ts'
import { openBrowser } from '../test/support/browser.ts'
import { builtPortal, signIn } from '../test/support/portal.ts'
import { privateRedis } from '../test/support/servers.ts'
import { startService, type TestService } from '../test/support/service.ts'
import { MOVEMENTS, openHugeTenant } from './huge-tenant.ts'

const TIMES = 5

/** No part waits any more, and the last one, the plot, is drawn. */
const allThere = `new Promise(resolve => {
  const look = () =>
    !document.querySelector('.mantine-Loader-root, .mantine-Skeleton-root') && document.querySelector('.uplot')
      ? resolve()
      : requestAnimationFrame(look)
  look()
})`

const say = (what: string) => console.error(what)
const huge = await openHugeTenant(MOVEMENTS, say)
const redis = await privateRedis()
const service = await startService({ databaseUrl: huge.databaseUrl, redisUrl: redis.url })
await builtPortal()
const browser = await openBrowser()
try {
  const small = await service.tenant()
  await small.post('/products', { title: 'Oak', sku: 'OAK' })
  await tell('small', small.token)
  const key = await issueKey(service.pool, { tenantId: HUGE_TENANT, name: 'bench', scopes, ...defaultLimits })
  await tell('huge', key?.token ?? '')
} finally {
  await browser.close()
  await service.close()
  await redis.close()
  await huge.close()
}

/** The middle one of several: the page that asks for the key, then, from the click on, the first screen and all of its parts. */
async function tell(tenant: string, token: string): Promise<void> {
  const runs: number[][] = []
  for (let run = 0; run < TIMES; run++) runs.push(await firstScreen(service, token))
  const middle = (at: number) => Math.round(runs.map(run => run[at] ?? 0).toSorted((a, b) => a - b)[TIMES >> 1] ?? 0)
  console.log(
    `${tenant}: sign-in ${middle(0)} ms, first screen ${middle(1)} ms, all of it ${middle(2)} ms, ${middle(3)} requests`,
  )
}

async function firstScreen({ url }: TestService, token: string): Promise<number[]> {
  const begun = performance.now()
  const { page, requests } = await browser.visit(`${url}/portal`)
  await page.getByLabel('API key').waitFor()
  const asked = performance.now()
  const before = requests.length
  await signIn(page, token)
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  const shown = performance.now()
  await page.evaluate(allThere)
  const all = performance.now()
  const made = requests.length - before
  await page.context().close()
  return [asked - begun, shown - asked, all - asked, made]
}
