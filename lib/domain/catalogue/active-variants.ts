/**
 * The tenant's variants that are unarchived in effect: which of them has a sku, and how many they are on a plan that limits
 * them. Both change within a unit of work: `keepTrack` says so to the commands behind.
 */
import type { Source, Works } from '../../kit/documents/load.ts'
import type { Need } from '../../kit/documents/needs.ts'
import type { Work } from '../../kit/documents/work.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { Product } from './noun.ts'

/** The unarchived variant that has a sku, and its product. */
type SkuHolder = { readonly id: string; readonly item_id: string }
/** Who has the sku now. */
export type FindHolder = (sku: string) => SkuHolder | null

const SKU = 'sku'
const ACTIVE = 'active variants'

/** Who has these skus. Others that are asked about are looked up in the next unit of work. */
export const skuHolders = (skus: readonly (string | null | undefined)[]): Need<FindHolder> => ({
  ask: (load, tenantId) => {
    for (const sku of skus) if (sku != null) load.source('skus', () => new Skus()).ask(tenantId, sku)
  },
  see: work => sku => {
    const holder = work.holder(Product, SKU, sku)
    if (holder === null) return null
    const [id = '', item_id = ''] = holder.split(' ')
    return { id, item_id }
  },
})

/** How many variants are unarchived; null on a plan without a limit. */
export const activeVariants: Need<number | null> = {
  ask: (load, tenantId) => load.source(ACTIVE, () => new Counts()).ask(tenantId),
  see: work => {
    const count = work.holder(Product, ACTIVE, '')
    return count === null ? null : Number(count)
  },
}

/** After a product was made (`before` is null) or changed. The command asked for `activeVariants`. */
export function keepTrack(work: Work, before: Product | null, after: Product): void {
  const [had, has] = [before, after].map(product => (product?.variants ?? []).filter(({ active }) => active))
  for (const { sku } of had ?? []) if (sku !== null) work.hold(Product, SKU, sku, null)
  for (const { sku, id, item_id } of has ?? []) if (sku !== null) work.hold(Product, SKU, sku, `${id} ${item_id}`)
  const count = work.holder(Product, ACTIVE, '')
  if (count === null) return
  work.hold(Product, ACTIVE, '', String(Number(count) + (has?.length ?? 0) - (had?.length ?? 0)))
}

class Skus implements Source {
  readonly #asked = new Map<string, readonly [tenantId: string, sku: string]>()

  ask(tenantId: string, sku: string): void {
    this.#asked.set(`${tenantId} ${sku}`, [tenantId, sku])
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return {
      text: `
        select q.tenant_id, q.sku, v.id, v.item_id
        from unnest($1::bigint[], $2::text[]) as q (tenant_id, sku)
        cross join lateral (
          select id, item_id from item_variants where tenant_id = q.tenant_id and active_sku = q.sku limit 1
        ) v`,
      values: [asked.map(([tenantId]) => tenantId), asked.map(([, sku]) => sku)],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const [tenantId, sku] of this.#asked.values()) works.get(tenantId)?.putHolder(Product, SKU, sku, null)
    for (const { tenant_id, sku, id, item_id } of rows)
      works.get(tenant_id ?? '')?.putHolder(Product, SKU, sku ?? '', `${id} ${item_id}`)
  }
}

class Counts implements Source {
  readonly #tenantIds = new Set<string>()

  ask(tenantId: string): void {
    this.#tenantIds.add(tenantId)
  }

  query(): Query {
    return {
      text: `
        select q.tenant_id, c.count
        from unnest($1::bigint[]) as q (tenant_id)
        cross join lateral (select from tenants where tenant_id = q.tenant_id and plan = 'free' limit 1) t
        cross join lateral (select count(*) from item_variants where tenant_id = q.tenant_id and active) c`,
      values: [[...this.#tenantIds]],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    for (const tenantId of this.#tenantIds) works.get(tenantId)?.putHolder(Product, ACTIVE, '', null)
    for (const { tenant_id, count } of rows) works.get(tenant_id ?? '')?.putHolder(Product, ACTIVE, '', count ?? '0')
  }
}
