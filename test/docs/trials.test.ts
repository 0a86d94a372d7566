/** "Test Request" of the reference page: every read with its example values answers with data of the demo tenant, and a write writes. */

import { API_PREFIX } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { openBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

// The demo's subscription is switched off: it delivers nothing.
const EMPTY = ['/webhook-subscriptions/{id}/deliveries']
const reads = endpoints.filter(({ kind }) => kind === 'list' || kind === 'read')

test('every read that is tried on the page answers with data; options are not sent', async t => {
  // On a new machine the browser may still have to be installed.
  const browser = await openBrowser()
  const services = await testServices()
  const service = await startService(services)
  try {
    const { token } = await createDemo(services.databaseUrl)
    await fillDemo(sendOver(service.url, token), line => t.fail(line))
    const { page } = await browser.visit(`${service.url}/docs`)
    await page.getByPlaceholder('Token').first().fill(token)
    for (const { path, tag, id } of reads) {
      const anchor = `GET${API_PREFIX}${path}`
      await page.goto(`${service.url}/docs#tag/${tag[0].toLowerCase().replaceAll(' ', '-')}/${anchor}`)
      const section = page.locator(`section[id$="${anchor}"]`)
      await section.getByRole('button', { name: /test request/i }).click()
      const answered = page.waitForResponse(response => response.url().includes(API_PREFIX))
      await page.locator('button:visible', { hasText: 'Send' }).first().click()
      const response = await answered
      t.is(response.status(), 200, id)
      const { data } = (await response.json()) as { readonly data?: readonly unknown[] }
      if (data) t.is(data.length === 0, EMPTY.includes(path), `${id}: ${response.url()}`)
      for (const option of ['limit', 'order', 'updated_after'])
        t.false(new URL(response.url()).searchParams.has(option), id)
      await page.keyboard.press('Escape')
    }
    await page.goto(`${service.url}/docs#tag/suppliers/POST${API_PREFIX}/suppliers`)
    await page
      .locator(`section[id$="POST${API_PREFIX}/suppliers"]`)
      .getByRole('button', { name: /test request/i })
      .click()
    const written = page.waitForResponse(response => response.request().method() === 'POST')
    await page.locator('button:visible', { hasText: 'Send' }).first().click()
    const response = await written
    t.is(response.status(), 201)
    t.is(response.headers()['dry-run'], undefined, 'nor is a trial of a write run dry')
  } finally {
    await service.close()
    await services.close()
    await browser.close()
  }
})
