/** The fixtures of the stock tests: a tenant with places and variants, and short functions to adjust, transfer and read. */

import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { createAdjustment } from '../../lib/domain/stock/adjustments/commands.ts'
import { listStock } from '../../lib/domain/stock/levels/endpoints.ts'
import { createTransfer } from '../../lib/domain/stock/transfers/commands.ts'
import type { Endpoint } from '../../lib/kit/api/endpoint.ts'
import type { Bench, Loose, TestTenant } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'

export type Body = Record<string, unknown>
export type Stockroom = Awaited<ReturnType<typeof stockroom>>

/** A stockroom of a new tenant, without places. `refused...` answers `code message` of the refusal, or `done`. */
export async function stockroom(bench: Bench, options: Parameters<Bench['tenant']>[0] = {}) {
  const tenant = await bench.tenant(options)
  return {
    tenant,
    /** A product of one variant; returns the variant's id. */
    variant: async (sku: string, product: Body = {}): Promise<string> =>
      (await tenant.done(createProduct, { title: `Item ${sku}`, sku, ...product })).variants[0].id,
    place: async (title: string): Promise<string> => (await tenant.done(createStoragePlace, { title })).id,
    /** An adjustment of these lines; `extra` are further fields of the document. */
    adjust: (items: Loose[], extra: Body = {}) => tenant.done(createAdjustment, { ...extra, items }),
    tryAdjust: (items: Loose[], extra: Body = {}) => tenant.run(createAdjustment, { ...extra, items }),
    refusedAdjust: (items: Loose[], extra: Body = {}) => tenant.refusal(createAdjustment, { ...extra, items }),
    transfer: (body: Body) => tenant.done(createTransfer, body),
    refusedTransfer: (body: Body) => tenant.refusal(createTransfer, body),
    /** All stock entries, or those that the filters leave. */
    stock: (filters?: Record<string, string>) => everything(tenant, listStock, filters),
    movements: (filters?: Record<string, string>) => everything(tenant, endpointOf('listStockMovements'), filters),
  }
}

async function everything(
  tenant: TestTenant,
  endpoint: Endpoint,
  filters: Record<string, string> = {},
): Promise<Loose[]> {
  const found: Loose[] = []
  for (;;) {
    const last = found.at(-1)?.id
    const page = await tenant.page(endpoint, { filters, limit: 200, ...(last === undefined ? {} : { after: last }) })
    found.push(...page)
    if (page.length < 200) return found
  }
}

/** What a new record shows beside its reference: the tester of the benches made it. */
export const untouched = { metadata: {}, created_by_user_name: 'tester', updated_by_user_name: 'tester' }

/** The reversal fields of a new document. */
export const unreversed = (madeAt: string) => ({
  updated_at: madeAt,
  reversed_at: null,
  reversal_reason: null,
  reversed_by_user_name: null,
})
