/** Whether a product has physical stock. */
import type { Source } from '../documents/load.ts'
import type { Need } from '../documents/needs.ts'
import { Later } from '../documents/work.ts'
import type { Query, TextRow } from '../postgres/round-trip.ts'
import { stockPart } from '../stock/stock-part.ts'
import type { Product } from './document.ts'

/**
 * Whether any variant of the product has physical stock; null: of none. Where an earlier command of the unit of work posted
 * to its stock, the next one tells.
 */
export const hasStock = (product: Product | null): Need<() => boolean> => {
  let source: InStock | undefined
  return {
    ask: (load, tenantId) => {
      if (product === null) return
      source = load.source('products in stock', () => new InStock())
      source.ask(tenantId, product.id)
    },
    see: work => () => {
      if (product === null || source === undefined) return false
      const ids = new Set(product.variants.map(({ id }) => id))
      for (const [kind, part] of work.parts) {
        if (kind !== stockPart) continue
        for (const { itemVariantId, changed } of (part as ReturnType<typeof stockPart.make>).stock.positions.values())
          if (changed && ids.has(itemVariantId)) throw new Later(`the stock of product ${product.id} has changed`)
      }
      return source.has(work.tenant.id, product.id)
    },
  }
}

class InStock implements Source {
  readonly #asked = new Map<string, readonly [tenantId: string, id: string]>()
  readonly #found = new Set<string>()

  ask(tenantId: string, id: string): void {
    this.#asked.set(`${tenantId} ${id}`, [tenantId, id])
  }

  has(tenantId: string, id: string): boolean {
    return this.#found.has(`${tenantId} ${id}`)
  }

  query(): Query {
    const asked = [...this.#asked.values()]
    return {
      text: `
        select q.tenant_id, q.id
        from unnest($1::bigint[], $2::bigint[]) as q (tenant_id, id)
        where exists (
          select from item_variants v
          cross join lateral (
            select from stock_levels l where l.tenant_id = v.tenant_id and l.item_variant_id = v.id and l.quantity > 0 limit 1
          ) l
          where v.tenant_id = q.tenant_id and v.item_id = q.id
        )`,
      values: [asked.map(([tenantId]) => tenantId), asked.map(([, id]) => id)],
    }
  }

  take(rows: readonly TextRow[]): void {
    for (const { tenant_id, id } of rows) this.#found.add(`${tenant_id} ${id}`)
  }
}
