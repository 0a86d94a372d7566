/**
 * A colleague gets a key in the portal: with a role or single scopes, never with more than the maker's key has, and its token is shown
 * once.
 */
import { scopes } from '../../lib/nouns.ts'
import { roles, SINGLE, scopesOfRole } from '../../portal/src/screens/keys/roles.ts'
import { keptToItself, seriousFaults, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

test('each role but the single scopes has scopes that there are, may read, and only All may do everything', t => {
  const sets = roles.filter(role => role !== SINGLE).map(role => ({ role, has: scopesOfRole(role, scopes) }))
  t.deepEqual(scopesOfRole('All', scopes), scopes)
  for (const { role, has } of sets) {
    t.true(has.includes('read:stock') && has.includes('read:catalog'), role)
    t.is(role === 'All', has.includes('write:keys'), role)
    t.deepEqual(scopesOfRole(role, ['read:stock']), ['read:stock'], role)
  }
  // The roles by work: each write scope belongs to at least one role.
  const written = new Set(sets.filter(({ role }) => role !== 'All').flatMap(({ has }) => has))
  t.deepEqual(
    scopes.filter((scope: string) => scope.startsWith('write:') && !written.has(scope)),
    ['write:catalog.product.create', 'write:catalog.product.update', 'write:keys', 'write:webhooks'],
  )
})

test('a colleague gets a key in five clicks, by which they work as themselves; it is shown once', async t => {
  const shop = await service.tenant({ key: { userName: 'Ada', name: 'office' } })
  const visit = await signedIn(browser, service, shop.token)
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'New API key' }).click()
  await form.getByLabel('Who uses it').fill('Bob')
  // A press on the words of a choice takes it, and the focus does not go back to the first field.
  await form.getByText('Warehouse', { exact: true }).click()
  await form.getByText('create, reverse inventory transfers').waitFor()
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).click()
  const token = (await form.getByText(/^mrk_/).textContent()) ?? ''
  t.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('heading', { name: 'Warehouse' }).waitFor()
  t.is(await page.getByText(/^mrk_/).count(), 0)

  const bob = await signedIn(browser, service, token)
  await bob.page.getByRole('link', { name: 'Sales orders', exact: true }).click()
  await bob.page.getByRole('button', { name: 'New sales order' }).waitFor()
  t.true(await bob.page.getByRole('button', { name: 'New sales order' }).isDisabled())
  await keptToItself(t, bob, { service, token })
  await keptToItself(t, visit, { service, token: shop.token })
  t.false((await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).includes(token))
})

test('single scopes are those of the own key, and a key without write:keys makes none', async t => {
  const shop = await service.tenant({ key: { scopes: ['read:keys', 'write:keys', 'read:stock'] } })
  const visit = await signedIn(browser, service, shop.token, '/keys')
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New API key' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('choose what the key may do').waitFor()
  await form.getByLabel('Who uses it').fill('Till')
  await form.getByRole('radio', { name: SINGLE }).click()
  t.is(await form.getByRole('checkbox').count(), 3)
  await form.getByRole('checkbox', { name: /read:stock/ }).click()
  await form.getByLabel(/^Name of the key/).fill('Shelf')
  t.deepEqual(await seriousFaults(page), [])
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('heading', { name: 'Shelf' }).waitFor()
  const { body } = await shop.get('/api-keys')
  t.deepEqual(body.data.find(({ name }: { name: string }) => name === 'Shelf').scopes, ['read:stock'])

  const { client } = await service.key(shop.tenantId, { scopes: ['read:keys'] })
  const other = await signedIn(browser, service, client.token, '/keys')
  t.true(await other.page.getByRole('button', { name: 'New API key' }).isDisabled())
  await keptToItself(t, visit, { service, token: shop.token })
})

test('a key that was sent without an answer is not said to be made once', async t => {
  const shop = await service.tenant()
  const visit = await signedIn(browser, service, shop.token, '/keys')
  const { page } = visit
  const form = page.getByRole('dialog')
  await page.route(/\/api-keys$/, route => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'New API key' }).click()
  await form.getByLabel('Who uses it').fill('Bob')
  await form.getByRole('radio', { name: 'Warehouse' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('The service did not answer').waitFor()
  page.on('dialog', dialog => dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'New API key Draft' }).click()
  await form.getByText(/no answer came\. Look into the list first: each try makes another key\.$/).waitFor()
  t.is(await form.getByLabel('Who uses it').inputValue(), 'Bob')
  await keptToItself(t, visit, { service, token: shop.token, expected: /ERR_FAILED/ })
})
