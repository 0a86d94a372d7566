/** A service with the portal, and a browser, which the test files of a process share. Each test makes tenants of its own. */
import { openBrowser } from '../support/browser.ts'
import { onceInProcess, serviceOfFile } from '../support/of-file.ts'
import { builtPortal } from '../support/portal.ts'

export const portalService = onceInProcess(async () => {
  const service = await serviceOfFile()
  await builtPortal()
  const browser = await openBrowser()
  return { service, browser, close: () => browser.close() }
})
