/** What a kit is made of, as a field of its variant (docs/rules/kits.md). */
import { quantity, reference, text } from '../../../kit/fields/kinds.ts'
import { parts, sentParts } from '../../../kit/fields/parts.ts'
import type { Micro } from '../../../platform/decimal.ts'
import { variant } from '../by-sku.ts'
import { Item, Variant } from '../variant.ts'

/** The most components in one kit. */
const COMPONENTS_MAX = 50
/** The most kits that may contain one variant. */
export const KITS_MAX = 200

/** A component as a body names it, and as it is stored. */
export type Wanted = { readonly item_variant_id: string; readonly quantity: Micro }
export type Component = Wanted & { readonly item_id: string; readonly sku: string | null; readonly title: string }

const shown = {
  item_variant_id: reference(Variant),
  item_id: reference(Item),
  sku: text().orNull(),
  title: text(),
  quantity: quantity().words('how many are in one kit'),
}

/** Components are shown as they are now. */
const components = parts(
  shown,
  'what a kit is made of, in the order sent; [] where it is no kit',
  row => `case when ${row}.components = '[]' then '[]'::jsonb else (
    select jsonb_agg(
      jsonb_build_object('item_variant_id', v.id::text, 'item_id', v.item_id::text, 'sku', v.sku, 'title', v.title,
        'quantity', kit.part ->> 'quantity')
      order by kit.place)
    from jsonb_array_elements(${row}.components) with ordinality kit (part, place)
    cross join lateral (
      select id, item_id, sku, title from item_variants
      where tenant_id = ${row}.tenant_id and id = (kit.part ->> 'item_variant_id')::bigint limit 1
    ) v
  ) end`,
)

export const kitFields = {
  components: sentParts(
    components,
    { item_variant_id: variant().writable('create'), quantity: quantity({ moreThan: '0' }).writable('create') },
    {
      max: COMPONENTS_MAX,
      words: 'of a KIT, required there: what it is made of, each variant once; a change replaces all',
    },
  ),
  /** The stored form of `components`. */
  made_of: {
    ...parts({ item_variant_id: shown.item_variant_id, quantity: shown.quantity }, ''),
    column: 'components',
    reply: null,
  },
}

/** The fields of a variant with these components. Both are empty for a variant that is no kit. */
export const madeOf = (all: readonly Component[]) => ({
  components: all,
  made_of: all.map(({ item_variant_id, quantity: each }) => ({ item_variant_id, quantity: each })),
})
