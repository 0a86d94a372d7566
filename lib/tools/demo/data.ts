/**
 * Fills the demo tenant, a small coffee roastery, through the API like any caller. Every write has a fixed Idempotency-Key, so that filling
 * twice, or again after an interruption, leaves one of each. This file has the story; nouns add steps.
 */
import type { DemoStep } from '../../kit/documents/examples.ts'
import { demo } from '../../nouns.ts'
import { DemoRefused, type Send } from './client.ts'
import { fillCorrections } from './corrections.ts'
import { isThere, readIds, writeOver } from './fill.ts'
import { fillManufacturing } from './manufacturing.ts'
import { fillPurchasing } from './purchasing.ts'
import { fillSales } from './sales.ts'
import { fillPlacesAndProducts, fillStock } from './stock.ts'

/** The order matters: bought goods are roasted, and roasted goods are sold. */
const story: readonly DemoStep[] = [
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
]

/** The story, then the steps of nouns, each after the step that it needs. */
function allSteps(): readonly DemoStep[] {
  const ordered = [...story]
  for (let left = demo; left.length > 0; ) {
    const next = left.filter(({ after }) => after === undefined || ordered.some(({ name }) => name === after))
    if (next.length === 0)
      throw new Error(`no step of the demo comes before ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...next)
    left = left.filter(step => !next.includes(step))
  }
  return ordered
}

/**
 * Fills the tenant of `send`'s key, as far as it is not filled. A refusal ends only its step.
 * @param log takes a line for each refused step
 */
export async function fillDemo(send: Send, log: (line: string) => void): Promise<void> {
  const missing: DemoStep[] = []
  for (const step of allSteps()) if (!(await isThere(send, step.last.path, step.last.externalRef))) missing.push(step)
  if (missing.length === 0) return
  const write = writeOver(send)
  const attempt = async (name: string, fill: () => Promise<void>) => {
    try {
      await fill()
    } catch (error) {
      // Without an answer nothing can continue. After a refused step the others are still useful.
      if (!(error instanceof DemoRefused)) throw error
      log(`${name} not filled: ${error.message}`)
    }
  }
  if (missing.some(({ name }) => name === 'stock')) await attempt('products', () => fillPlacesAndProducts(write))
  const ids = await readIds(send)
  for (const { name, fill, last } of missing) await attempt(name, () => fill(write, ids, last.externalRef))
}
