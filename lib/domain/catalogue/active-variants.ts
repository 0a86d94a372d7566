/**
 * The tenant's variants that are unarchived in effect: which of them has a sku, and how many they are on a plan that limits
 * them. Both change within a unit of work: `keepTrack` says so to the commands behind.
 */
import { answerOf, type Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'
import type { Work } from '../../kit/documents/work.ts'
import type { Product } from './noun.ts'

/** The unarchived variant that has a sku, and its product. */
type SkuHolder = { readonly id: string; readonly item_id: string }
/** Who has the sku now. */
export type FindHolder = (sku: string) => SkuHolder | null

const skuHolder = question({
  name: 'skus',
  keys: { sku: 'text' },
  sql: asked => `
    select q.tenant_id, q.sku, v.id, v.item_id
    from ${asked}
    cross join lateral (
      select id, item_id from item_variants where tenant_id = q.tenant_id and active_sku = q.sku limit 1
    ) v`,
  read: ([row]): SkuHolder | null => (row ? { id: row['id'] ?? '', item_id: row['item_id'] ?? '' } : null),
})

const activeCount = question({
  name: 'active variants',
  keys: {},
  sql: asked => `
    select q.tenant_id, c.count
    from ${asked}
    cross join lateral (select from tenants where tenant_id = q.tenant_id and plan = 'free' limit 1) t
    cross join lateral (select count(*) from item_variants where tenant_id = q.tenant_id and active) c`,
  read: ([row]) => (row ? Number(row['count']) : null),
})

/** Who has these skus. Others that are asked about are looked up in the next unit of work. */
export const skuHolders = (skus: readonly (string | null | undefined)[]): Need<FindHolder> => ({
  ask: (load, tenantId) => {
    for (const sku of skus) if (sku != null) skuHolder.ask(load, tenantId, { sku })
  },
  see: work => sku => work.answer(skuHolder, { sku }),
})

/** How many variants are unarchived; null on a plan without a limit. */
export const activeVariants = answerOf(activeCount, {})

/** After a product was made (`before` is null) or changed. The command asked for `activeVariants`. */
export function keepTrack(work: Work, before: Product | null, after: Product): void {
  const [had, has] = [before, after].map(product => (product?.variants ?? []).filter(({ active }) => active))
  for (const { sku } of had ?? []) if (sku !== null) work.changeAnswer(skuHolder, { sku }, null)
  for (const { sku, id, item_id } of has ?? []) if (sku !== null) work.changeAnswer(skuHolder, { sku }, { id, item_id })
  const count = work.answer(activeCount, {})
  if (count !== null) work.changeAnswer(activeCount, {}, count + (has?.length ?? 0) - (had?.length ?? 0))
}
