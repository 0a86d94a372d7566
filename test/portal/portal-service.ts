/** A service with the portal, and a browser before it: both are closed after the tests of the file. */
import { openBrowser } from '../support/browser.ts'
import { builtPortal } from '../support/portal.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { whenProcessEnds } from '../support/suite.ts'

export async function portalService() {
  const services = await testServices()
  const service = await startService(services)
  await builtPortal()
  const browser = await openBrowser()
  whenProcessEnds(async () => {
    await browser.close()
    await service.close()
    await services.close()
  })
  return { services, service, browser }
}
