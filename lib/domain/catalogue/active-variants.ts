/**
 * Which variant of the tenant has a sku or an external_ref, and how many variants are active on a plan that limits them. Commands change
 * both within a unit of work; `keepTrack` makes the change visible to later commands.
 */
import { answerOf, type Need } from '../../kit/documents/needs.ts'
import { question } from '../../kit/documents/question.ts'
import type { Work } from '../../kit/documents/work.ts'

/** The part of a product that these answers depend on. */
type Product = {
  readonly variants: readonly (Holder & {
    readonly sku: string | null
    readonly external_ref: string | null
    /** Neither the variant nor its product is archived. */
    readonly active: boolean
  })[]
}
/** The variant that has the text, and its product. */
type Holder = { readonly id: string; readonly item_id: string }
/** The variant that has the text now. */
export type FindHolder = (text: string) => Holder | null

/** Looks a text up in a column whose texts are unique. */
const holderBy = (name: string, column: 'active_sku' | 'external_ref') =>
  question({
    name,
    keys: { text: 'text' },
    sql: asked => `
      select q.tenant_id, q.text, v.id, v.item_id
      from ${asked}
      cross join lateral (
        select id, item_id from item_variants where tenant_id = q.tenant_id and ${column} = q.text limit 1
      ) v`,
    read: ([row]): Holder | null => (row ? { id: row['id'] ?? '', item_id: row['item_id'] ?? '' } : null),
  })

const skuHolder = holderBy('skus', 'active_sku')
/** Archived variants keep their references. */
const refHolder = holderBy('references of variants', 'external_ref')

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

const holders =
  (holder: typeof skuHolder) =>
  (texts: readonly (string | null | undefined)[]): Need<FindHolder> => ({
    ask: (load, tenantId) => {
      for (const text of texts) if (text != null) holder.ask(load, tenantId, { text })
    },
    see: work => text => work.answer(holder, { text }),
  })

/** The variant that has this sku. A sku that was not loaded is looked up in the next unit of work. */
export const skuHolders = holders(skuHolder)
/** The variant that has this reference. */
export const refHolders = holders(refHolder)

/** How many variants are active; null on a plan without a limit. */
export const activeVariants = answerOf(activeCount, {})

/** Notes that a product was made (`before` is null) or changed. The command must have loaded `activeVariants`. */
export function keepTrack(work: Work, before: Product | null, after: Product): void {
  const [had, has] = [before, after].map(product => (product?.variants ?? []).filter(({ active }) => active))
  for (const { sku: text } of had ?? []) if (text !== null) work.changeAnswer(skuHolder, { text }, null)
  for (const { sku: text, id, item_id } of has ?? [])
    if (text !== null) work.changeAnswer(skuHolder, { text }, { id, item_id })
  for (const { external_ref: text } of before?.variants ?? [])
    if (text !== null) work.changeAnswer(refHolder, { text }, null)
  for (const { external_ref: text, id, item_id } of after.variants)
    if (text !== null) work.changeAnswer(refHolder, { text }, { id, item_id })
  const count = work.answer(activeCount, {})
  if (count !== null) work.changeAnswer(activeCount, {}, count + (has?.length ?? 0) - (had?.length ?? 0))
}
