/**
 * The reference page in a real browser: what it shows, the calls made from it, and that it loads nothing from other hosts. The contract
 * tests check what is served.
 */

import { API_PREFIX } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { guides } from '../../lib/openapi/guides.ts'
import { openBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

test('the page lists guides and endpoints, calls the service with a key that stays in it, and calls nobody else', async t => {
  // On a new machine the browser may still have to be installed.
  const browser = await openBrowser()
  const services = await testServices()
  const service = await startService(services)
  try {
    const { token } = await service.tenant()
    const { page, ...visit } = await browser.visit(`${service.url}/docs#tag/products/POST${API_PREFIX}/products`)
    const keyField = page.getByPlaceholder('Token')
    await keyField.first().fill(token)
    const contents = (await page.locator('aside a').allInnerTexts()).map(text => text.split('\n')[0]?.trim() ?? '')
    const products = endpoints.filter(({ tag }) => tag[0] === 'Products').map(({ summary }) => summary)
    for (const name of [...guides.map(({ title }) => title), ...endpoints.map(({ tag }) => tag[0]), ...products])
      t.true(contents.includes(name), name)

    for (const word of ['idempotency', 'pagination', 'retry', 'python']) {
      await page.keyboard.press('Control+k')
      await page.locator('input[placeholder*=Search i]').last().fill(word)
      await page.locator('[role=option]', { hasText: 'Heading' }).first().waitFor()
      await page.keyboard.press('Escape')
    }

    await page.locator('button', { hasText: /test request.*post/i }).click()
    const keys: (string | undefined)[] = []
    for (const status of [201, 400]) {
      const answered = page.waitForResponse(response => response.url().includes(API_PREFIX))
      await page.locator('button:visible', { hasText: 'Send' }).first().click()
      const response = await answered
      t.is(response.status(), status)
      keys.push(response.request().headers()['idempotency-key'])
    }
    // The second request for the same product is refused because of its sku and not because of its key.
    for (const key of keys) t.regex(key ?? '', /^docs-[0-9a-f]{24}$/)
    t.not(keys[0], keys[1])

    for (const place of [await visit.stored(), page.url(), ...visit.requests]) t.false(place.includes(token), place)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    t.is(await keyField.first().inputValue(), '')
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 390)

    // This request is forbidden, so it must be the only violation: earlier ones would be listed too.
    await page.evaluate(`fetch('https://example.com/').catch(() => {})`)
    await eventually(() => visit.violations.length > 0 && visit.errors.some(text => text.includes('example.com')))
    t.deepEqual(visit.violations, ['connect-src https://example.com/'])
    t.deepEqual(
      visit.errors.filter(text => !/status of 400|example\.com/.test(text)),
      [],
    )
    t.deepEqual(
      visit.requests.filter(url => !url.startsWith(`${service.url}/`)),
      [],
    )
  } finally {
    await service.close()
    await services.close()
    await browser.close()
  }
})
