/** Every form of the portal, in a real browser: it is accessible and fits a phone, in light and in dark colours. */

import type { Page } from 'playwright-core'
import { seriousFaults, showWhole, signedIn } from '../support/portal.ts'
import { testsOf } from '../support/suite.ts'
import { portalService } from './portal-service.ts'
import { everyScreen } from './shop.ts'

const test = testsOf(import.meta)

const { service, browser } = await portalService()

const WIDE = { size: { width: 1440, height: 900 }, colorScheme: 'light' } as const
const PHONE = { size: { width: 375, height: 740 }, colorScheme: 'dark' } as const

/** Elements that are wider than the dialog or the screen. */
const tooWide = `(() => {
  const dialog = document.querySelector('[role=dialog]')
  const scrolled = [dialog, ...dialog.querySelectorAll('.mantine-Modal-body, fieldset')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  const out = [...dialog.querySelectorAll('input, textarea, button, label, table')].filter(element => {
    const { right, left, width } = element.getBoundingClientRect()
    return width > 0 && (right > innerWidth + 1 || left < -1)
  })
  return [...scrolled, ...out].map(element => element.outerHTML.slice(0, 200))
})()`

/** Loads a screen with all its data. Returns the names of the buttons that open forms. */
async function formsOf(page: Page, path: string): Promise<readonly string[]> {
  await showWhole(page, path)
  return page.locator('main button[aria-haspopup=dialog]:enabled').allInnerTexts()
}

test('every form that opens has no serious fault of axe and fits its screen, wide in light and on a phone in dark colours', async t => {
  const { shop, screens } = await everyScreen(service)
  const { page } = await signedIn(browser, service, shop.token, '/nowhere')
  const seen = new Set<string>()
  const faults: (readonly string[])[] = []
  for (const [path] of screens) {
    // Records of one kind have the same forms, except for their numbers.
    const kind = path.replace(/\?.*/, '').replaceAll(/\d+/g, '')
    await page.setViewportSize(WIDE.size)
    for (const label of await formsOf(page, path)) {
      const name = `${kind} ${label.replaceAll(/\d+/g, '')}`
      if (seen.has(name)) continue
      seen.add(name)
      await page.locator('main button[aria-haspopup=dialog]:enabled').filter({ hasText: label }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('form').waitFor()
      for (const { size, colorScheme } of [WIDE, PHONE]) {
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme })
        const found = [...(await seriousFaults(page, '[role=dialog]')), ...(await page.evaluate<string[]>(tooWide))]
        if (found.length > 0) faults.push([`${path} ${label}, ${size.width} pixels, ${colorScheme}`, ...found])
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.setViewportSize(WIDE.size)
      await page.emulateMedia({ colorScheme: 'light' })
    }
  }
  t.deepEqual(faults, [])
  t.true(seen.size > 60, [...seen].join(', '))
})
