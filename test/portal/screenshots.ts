/**
 * Makes pictures of the portal's screens from a running service (`npm start`), at the width of a desktop and of a phone, in its data
 * folder. portal/README.md shows some of them: copy those to `docs/portal`.
 *
 *     node test/portal/screenshots.ts [screen ...]
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { type Browser, chromium, type Page } from 'playwright-core'

const widths = { wide: { width: 1400, height: 900 }, phone: { width: 390, height: 844 } } as const

const data = process.env['MILLRACE_DATA'] ?? '.millrace'
const FOLDER = `${data}/pictures/`
const { base_url, token } = JSON.parse(readFileSync(`${data}/demo.json`, 'utf8')) as { base_url: string; token: string }

type Open = (page: Page) => Promise<unknown>

const at =
  (path: string): Open =>
  page =>
    page.goto(`${base_url}/portal${path}`)

/** Opens the first record of a list. */
const first =
  (path: string): Open =>
  async page => {
    await page.goto(`${base_url}/portal${path}`)
    await page.locator('a.row-link').first().click()
  }

/** Opens the form of a step of the list's first record. */
const step =
  (path: string, name: string): Open =>
  async page => {
    await first(path)(page)
    await page.getByRole('button', { name, exact: true }).click()
  }

/** Opens a form of the list itself. */
const open =
  (path: string, name: string): Open =>
  async page => {
    await at(path)(page)
    await page.getByRole('button', { name, exact: true }).click()
  }

/** Every screen, and how to open it. */
const screens: Readonly<Record<string, Open>> = {
  'sign-in': async page => {
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(`${base_url}/portal`)
  },
  today: at('/'),
  'sales-orders': at('/sales-orders'),
  'sales-order-new': at('/sales-orders/new'),
  'sales-order': first('/sales-orders?delivery_status=PARTIALLY_SHIPPED'),
  'sales-order-ship': step('/sales-orders?delivery_status=PARTIALLY_SHIPPED', 'Ship'),
  'sales-order-return': step('/sales-orders?delivery_status=PARTIALLY_SHIPPED', 'Return'),
  pick: async page => {
    await first('/sales-orders?status=OPEN&delivery_status=NOT_SHIPPED')(page)
    await page.getByRole('link', { name: 'Pick', exact: true }).click()
  },
  shipments: at('/sales-shipments'),
  holds: at('/reservations'),
  hold: first('/reservations'),
  'hold-order': async page => {
    await first('/reservations')(page)
    await page.getByRole('link', { name: 'Make an order' }).click()
  },
  'sales-returns': at('/sales-returns'),
  'sales-return': first('/sales-returns'),
  'manufacturing-orders': at('/manufacturing-orders'),
  'manufacturing-order': first('/manufacturing-orders?status=PARTIALLY_DONE'),
  'manufacturing-order-start': step('/manufacturing-orders?status=NOT_STARTED', 'Start'),
  'manufacturing-order-edit': step('/manufacturing-orders?status=NOT_STARTED', 'Edit'),
  'manufacturing-order-complete': step('/manufacturing-orders?status=PARTIALLY_DONE', 'Complete'),
  'manufacturing-order-issue': step('/manufacturing-orders?status=PARTIALLY_DONE', 'Issue materials'),
  'manufacturing-order-return': step('/manufacturing-orders?status=PARTIALLY_DONE', 'Return materials'),
  'shop-floor': at('/shop-floor'),
  'production-tasks': at('/production-tasks'),
  'purchase-orders': at('/purchase-orders'),
  'purchase-order': first('/purchase-orders?status=DONE'),
  'purchase-order-receive': step('/purchase-orders?status=OPEN', 'Receive'),
  'purchase-order-edit': step('/purchase-orders?status=OPEN', 'Edit'),
  'purchase-order-landed-cost': async page => {
    await first('/purchase-orders?status=DONE')(page)
    await page
      .getByRole('button', { name: /^Book a cost/ })
      .first()
      .click()
  },
  supplier: async page => {
    await first('/purchase-orders?status=OPEN')(page)
    await page.locator('dd a').first().click()
  },
  'supplier-edit': step('/suppliers', 'Edit'),
  suppliers: at('/suppliers'),
  customers: at('/customers'),
  customer: first('/customers'),
  'customer-new': open('/customers', 'New customer'),
  places: at('/storage-places'),
  place: first('/storage-places'),
  recipes: at('/recipes'),
  recipe: first('/recipes'),
  'recipe-edit': step('/recipes', 'Edit'),
  operations: at('/operations'),
  operation: first('/operations'),
  products: at('/products'),
  'product-new': open('/products', 'New product'),
  import: async page => {
    await page.goto(`${base_url}/portal/import`)
    const lines = ['Title;SKU;Price', 'Tamper 58 mm;TMP-58;29,00', 'Milk jug;ESP-BEAN;18,50', 'Scale;SCL-1;cheap']
    const buffer = Buffer.from(lines.join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'goods.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Check all lines' }).click()
    await page.getByRole('status').getByText('3 of 3 lines').waitFor()
  },
  receipts: at('/purchase-receipts'),
  'landed-costs': at('/landed-costs'),
  'landed-cost': first('/landed-costs'),
  stock: at('/stock'),
  'stock-batches': at('/stock/batches'),
  'stock-adjustments': at('/stock-adjustments'),
  'stock-adjustment-reverse': async page => {
    await first('/stock-adjustments')(page)
    await page.getByRole('button', { name: /^Reverse/ }).click()
  },
  'stock-transfers': at('/stock-transfers'),
  'stock-counts': at('/stock-counts'),
  'stock-count': first('/stock-counts?status=OPEN'),
  product: async page => {
    await page.goto(`${base_url}/portal/stock?q=ESP-BEAN`)
    await page.locator('a.row-link').first().click()
    await page.locator('dd a').first().click()
  },
  variant: variant('ESP-BEAN'),
  kit: variant('SET-FIL'),
  'variant-movements': async page => {
    await variant('ESP-BEAN')(page)
    await page.locator('.uplot').first().waitFor()
    await page.getByRole('table', { name: 'Recipe' }).waitFor()
    await page.getByRole('table', { name: 'Movements' }).waitFor()
    await page.mouse.move(300, 500)
    await page.mouse.wheel(0, 620)
  },
  'variant-adjust': async page => {
    await variant('ESP-BEAN')(page)
    await page.getByRole('button', { name: 'Adjust stock' }).click()
  },
  'variant-transfer': async page => {
    await variant('GRN-SID')(page)
    await page.getByRole('button', { name: 'Transfer' }).click()
  },
  planner: at('/planner?below=minimum'),
  requirements,
  'requirements-purchase': async page => {
    await requirements(page)
    await page.getByRole('button', { name: 'New purchase order' }).click()
  },
  batches: at('/trace'),
  trace: async page => {
    // The first batch has the most products made of it.
    await page.goto(`${base_url}/portal/trace?order=asc`)
    await page.locator('a.row-link').first().click()
    await page.locator('.trace-graph').first().waitFor()
  },
  'trace-graph': async page => {
    await page.goto(`${base_url}/portal/trace?order=asc`)
    await page.locator('a.row-link').first().click()
    await page.locator('.trace-graph').first().scrollIntoViewIfNeeded()
    await page.getByRole('region', { name: 'Where it came from' }).first().scrollIntoViewIfNeeded()
  },
  'pick-list': print('/sales-orders?status=OPEN&delivery_status=NOT_SHIPPED', 'Pick list'),
  'packing-slip': print('/sales-orders?delivery_status=PARTIALLY_SHIPPED', 'Packing slip'),
  'printed-purchase-order': print('/purchase-orders?status=OPEN', 'Print'),
  'work-order': print('/manufacturing-orders?status=NOT_STARTED', 'Work order'),
  'batch-labels': print('/trace', 'Labels'),
  'shelf-labels': print('/stock?q=ESP-BEAN', 'Shelf labels'),
  books: at('/books'),
  'books-entries': at('/books/entries'),
  webhooks: at('/webhooks'),
  webhook,
  'webhook-delivery': async page => {
    await webhook(page)
    await page
      .getByRole('link', { name: /^(stock|sales|product)/ })
      .first()
      .click()
    await page.getByRole('dialog').waitFor()
  },
  'webhook-kinds': at('/webhooks/kinds?kind=stock.changed&q=stock'),
  'webhook-live': at('/webhooks/live'),
  security: at('/security'),
  keys: at('/keys'),
  requests: at('/requests'),
}

/** Opens the paper to which a record's page links. */
function print(path: string, name: string): Open {
  return async page => {
    await first(path)(page)
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.locator('.sheet').waitFor()
  }
}

function variant(sku: string): Open {
  return async page => {
    await page.goto(`${base_url}/portal/stock?q=${sku}`)
    await page.locator('a.row-link').first().click()
    await page.getByRole('region', { name: 'Movements' }).first().waitFor()
  }
}

async function requirements(page: Page): Promise<void> {
  await variant('ESP-BEAN')(page)
  await page.getByRole('link', { name: 'Can we make it?' }).click()
  await page.getByLabel('How many').fill('1500')
  await page.getByLabel('How many').press('Enter')
  await page.getByRole('status').first().waitFor()
}

/** A subscription that has deliveries. */
async function webhook(page: Page): Promise<void> {
  await page.goto(`${base_url}/portal/webhooks`)
  await page
    .getByRole('row', { name: /Active/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
}

const only = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: executable() })
try {
  await mkdir(FOLDER, { recursive: true })
  for (const [width, viewport] of Object.entries(widths)) await pictures(browser, width, viewport)
} finally {
  await browser.close()
}

async function pictures(browser: Browser, width: string, viewport: { width: number; height: number }): Promise<void> {
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.on('console', message => console.log(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => console.log(error))
  await page.goto(`${base_url}/portal`)
  await page.evaluate(key => sessionStorage.setItem('millrace.key', key), token)
  for (const [name, open] of Object.entries(screens).reverse()) {
    if (only.length > 0 && !only.includes(name)) continue
    await open(page)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    // The event stream never ends, so the test waits until no loading signs are shown.
    await page.locator('.mantine-Loader-root, .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${FOLDER}${name}-${width}.png` })
    console.log(`${name}-${width}.png`)
  }
  await context.close()
}

function executable(): string {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path =>
    existsSync(path),
  )
  if (!found) throw new Error('no Chromium found')
  return found
}
