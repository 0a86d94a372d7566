/**
 * Fills the demo tenant, a small coffee roastery, through the API like any caller would. Every write has a fixed
 * Idempotency-Key, so that filling twice, or again after a break, leaves one of each; what there is stands in the chapters.
 */
import { DemoRefused, type Send } from './client.ts'
import { fillCorrections } from './corrections.ts'
import { fillCounts } from './counts.ts'
import { type Ids, isThere, readIds, type Write, writeOver } from './fill.ts'
import { fillHolds } from './holds.ts'
import { fillLandedCosts } from './landed-costs.ts'
import { fillManufacturing } from './manufacturing.ts'
import { fillPurchasing } from './purchasing.ts'
import { fillSales } from './sales.ts'
import { fillPlacesAndProducts, fillStock } from './stock.ts'

type Chapter = {
  readonly name: string
  /** The last write of the chapter, known by its external_ref: keys hold for 30 days only, this for good. */
  readonly last: { readonly path: string; readonly externalRef: string }
  readonly fill: (write: Write, ids: Ids, externalRef: string) => Promise<void>
}

/** In this order: what is bought is roasted, and what is roasted is sold. */
const chapters: readonly Chapter[] = [
  { name: 'stock', last: { path: '/stock-transfers', externalRef: 'demo-stock' }, fill: fillStock },
  { name: 'purchasing', last: { path: '/purchase-orders', externalRef: 'demo-purchasing' }, fill: fillPurchasing },
  {
    name: 'manufacturing',
    last: { path: '/stock-transfers', externalRef: 'demo-manufacturing' },
    fill: fillManufacturing,
  },
  { name: 'sales', last: { path: '/sales-orders', externalRef: 'demo-sales' }, fill: fillSales },
  {
    name: 'corrections',
    last: { path: '/stock-adjustments', externalRef: 'demo-corrections' },
    fill: fillCorrections,
  },
  { name: 'holds', last: { path: '/reservations', externalRef: 'demo-hold' }, fill: fillHolds },
  {
    name: 'landed costs',
    last: { path: '/landed-costs', externalRef: 'demo-landed-costs' },
    fill: fillLandedCosts,
  },
  { name: 'counts', last: { path: '/stock-counts', externalRef: 'demo-counts' }, fill: fillCounts },
]

/**
 * Fills the tenant whose key `send` uses, as far as it is not filled. A refusal ends only its chapter.
 * @param log takes a line for each chapter that was refused.
 */
export async function fillDemo(send: Send, log: (line: string) => void): Promise<void> {
  const missing: Chapter[] = []
  for (const chapter of chapters)
    if (!(await isThere(send, chapter.last.path, chapter.last.externalRef))) missing.push(chapter)
  if (missing.length === 0) return
  const write = writeOver(send)
  const attempt = async (name: string, fill: () => Promise<void>) => {
    try {
      await fill()
    } catch (error) {
      // Without an answer there is nothing to go on with; a refused chapter leaves the others worth having.
      if (!(error instanceof DemoRefused)) throw error
      log(`${name} not filled: ${error.message}`)
    }
  }
  if (missing.some(({ name }) => name === 'stock')) await attempt('products', () => fillPlacesAndProducts(write))
  const ids = await readIds(send)
  for (const { name, fill, last } of missing) await attempt(name, () => fill(write, ids, last.externalRef))
}
