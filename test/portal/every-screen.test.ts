/**
 * Every screen of the portal in a real browser: checked by axe, with titles that contain HTML shown as text, and closed to keys without the
 * scopes.
 */

import { keptToItself, seriousFaults, show, signedIn, signIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { everyScreen } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('a key sees which screens are closed to it and why, and nothing of others; a wrong key is refused', async t => {
  const [shop, other] = [await service.tenant(), await service.tenant()]
  const { body: foreign } = await other.post('/storage-places', { title: 'Elsewhere' })
  const { body: product } = await other.post('/products', { title: 'Foreign oak' })
  const { token } = await service.key(shop.tenantId, { scopes: ['read:stock', 'read:catalog'] })
  const visit = await browser.visit(`${service.url}/portal`)
  const { page } = visit
  await page.getByLabel('API key').fill('mrk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText(/req_/).waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await signIn(page, token)
  await page.getByRole('note').getByText('read:sales').waitFor()
  await page.getByText('Nothing is short').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('link', { name: /Sales orders closed/ }).click()
  await page.getByRole('heading', { name: 'Today' }).waitFor({ state: 'detached' })
  await page.getByText('Closed to this key').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await show(page, `/stock/${product.id}`)
  await page.getByRole('alert').getByText(/req_/).waitFor()
  await show(page, `/stock/batches?storage_place_id=${foreign.id}`)
  await page.getByText('Nothing matches these filters').waitFor()
  t.notRegex(await page.content(), /Elsewhere|Foreign oak/)
  await keptToItself(t, visit, { service, token, expected: /status of (401|404)/ })
})

test('no screen keeps people out: axe finds nothing serious on any of them, and titles of others are text', async t => {
  const { shop, screens } = await everyScreen(service)
  const visit = await signedIn(browser, service, shop.token, '/production-tasks')
  const { page } = visit
  await page.locator('main h1').waitFor()
  for (const [path, shown] of screens) {
    // The previous screen is shown until the next one is loaded.
    await page.evaluate(`document.querySelector('main h1').setAttribute('data-before', '')`)
    await show(page, path)
    await page.locator('main h1:not([data-before])').waitFor()
    await page.getByRole('main').getByText(shown).filter({ visible: true }).first().waitFor()
    t.deepEqual(await seriousFaults(page), [], path)
  }
  t.not(await page.title(), 'owned')
  await keptToItself(t, visit, { service, token: shop.token })
})
