/**
 * Which of the tenant's variants has a sku or an external_ref, and how many are unarchived in effect on a plan that limits them. All
 * change within a unit of work: `keepTrack` says so to the commands behind.
 */
import { answerOf, type Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'
import type { Work } from '../../kit/documents/work.ts'
import type { Product } from './noun.ts'

/** The variant that has the text, and its product. */
type Holder = { readonly id: string; readonly item_id: string }
/** Who has the text now. */
export type FindHolder = (text: string) => Holder | null

const readHolder = ([row]: readonly Readonly<Record<string, string | null>>[]): Holder | null =>
  row ? { id: row['id'] ?? '', item_id: row['item_id'] ?? '' } : null

const skuHolder = question({
  name: 'skus',
  keys: { sku: 'text' },
  sql: asked => `
    select q.tenant_id, q.sku, v.id, v.item_id
    from ${asked}
    cross join lateral (
      select id, item_id from item_variants where tenant_id = q.tenant_id and active_sku = q.sku limit 1
    ) v`,
  read: readHolder,
})

/** Archived variants keep their references. */
const refHolder = question({
  name: 'references of variants',
  keys: { ref: 'text' },
  sql: asked => `
    select q.tenant_id, q.ref, v.id, v.item_id
    from ${asked}
    cross join lateral (
      select id, item_id from item_variants where tenant_id = q.tenant_id and external_ref = q.ref limit 1
    ) v`,
  read: readHolder,
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

/** Which variants have these references. */
export const refHolders = (refs: readonly string[]): Need<FindHolder> => ({
  ask: (load, tenantId) => {
    for (const ref of refs) refHolder.ask(load, tenantId, { ref })
  },
  see: work => ref => work.answer(refHolder, { ref }),
})

/** How many variants are unarchived; null on a plan without a limit. */
export const activeVariants = answerOf(activeCount, {})

/** After a product was made (`before` is null) or changed. The command asked for `activeVariants`. */
export function keepTrack(work: Work, before: Product | null, after: Product): void {
  const [had, has] = [before, after].map(product => (product?.variants ?? []).filter(({ active }) => active))
  for (const { sku } of had ?? []) if (sku !== null) work.changeAnswer(skuHolder, { sku }, null)
  for (const { sku, id, item_id } of has ?? []) if (sku !== null) work.changeAnswer(skuHolder, { sku }, { id, item_id })
  for (const { external_ref: ref } of before?.variants ?? [])
    if (ref !== null) work.changeAnswer(refHolder, { ref }, null)
  for (const { external_ref: ref, id, item_id } of after.variants)
    if (ref !== null) work.changeAnswer(refHolder, { ref }, { id, item_id })
  const count = work.answer(activeCount, {})
  if (count !== null) work.changeAnswer(activeCount, {}, count + (has?.length ?? 0) - (had?.length ?? 0))
}
