/**
 * Owns a real browser for tests, which reaches this machine alone, and what a page did there: its requests, what its policy
 * forbade, its errors, what it left behind.
 */
import { type Browser, chromium as chromiumDriver, type Page } from 'playwright-core'
import { chromium } from './chromium.ts'

export type Visit = {
  readonly page: Page
  /** The address of every request, in their order. */
  readonly requests: readonly string[]
  /** What the page's Content-Security-Policy forbade: directive and address. */
  readonly violations: readonly string[]
  /** Messages of the console at the level of errors, and what scripts threw and nobody caught. */
  readonly errors: readonly string[]
  /** Everything that outlives the page: cookies, local and session storage, names of databases. */
  stored(): Promise<string>
}

export type Options = {
  readonly width?: number
  readonly height?: number
  readonly locale?: string
  readonly timezoneId?: string
}

export type TestBrowser = {
  /** Opens the address in a browser that knows nothing yet. */
  visit(url: string, options?: Options): Promise<Visit>
  close(): Promise<void>
}

/** @param args more of the command line */
export async function openBrowser(args: readonly string[] = []): Promise<TestBrowser> {
  const browser = await chromiumDriver.launch({
    executablePath: await chromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...args,
    ],
  })
  return { visit: (url, options) => visit(browser, url, options), close: () => browser.close() }
}

async function visit(
  browser: Browser,
  url: string,
  { width = 1440, height = 900, locale = 'en-US', timezoneId }: Options = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    reducedMotion: 'reduce',
    ...(timezoneId === undefined ? {} : { timezoneId }),
  })
  const requests: string[] = []
  const violations: string[] = []
  const errors: string[] = []
  context.on('request', request => requests.push(request.url()))
  context.on('console', message => message.type() === 'error' && errors.push(message.text()))
  context.on('weberror', error => errors.push(String(error.error())))
  await context.exposeFunction('tellViolation', (text: string) => violations.push(text))
  await context.addInitScript(`addEventListener('securitypolicyviolation', event =>
    tellViolation(event.effectiveDirective + ' ' + event.blockedURI))`)
  // Two processors are shared by many tests.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(url)
  return {
    page,
    requests,
    violations,
    errors,
    stored: async () => {
      const kept = await page.evaluate(`indexedDB.databases().then(databases =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases]))`)
      return `${kept} ${JSON.stringify(await context.cookies())}`
    },
  }
}
