/** What is known of the variants that kits are to contain. Only bodies with components ask for it. */
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { Product } from '../noun.ts'
import { type Component, KITS_MAX, type Wanted } from './fields.ts'

/** A variant that a kit is to contain. */
export type Part = Omit<Component, 'quantity'> & {
  readonly type: Product['type']
  /** In effect. */
  readonly archived: boolean
  /** The kits in which it stands, archived ones too. */
  readonly kits: ReadonlySet<string>
}

export type FindPart = (id: string) => Part | null

const partOfKits = question({
  name: 'components of kits',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, v.item_id, v.sku, v.title, not v.active as archived, i.type, k.kits
    from ${asked}
    cross join lateral (select * from item_variants where tenant_id = q.tenant_id and id = q.id limit 1) v
    cross join lateral (select type from items where tenant_id = q.tenant_id and id = v.item_id limit 1) i
    cross join lateral (
      select coalesce(json_agg(kit_variant_id::text), '[]') as kits from (
        select kit_variant_id from kit_components where tenant_id = q.tenant_id and item_variant_id = q.id limit ${KITS_MAX}
      ) k
    ) k`,
  read: ([row]): Part | null =>
    row
      ? {
          item_variant_id: row['id'] ?? '',
          item_id: row['item_id'] ?? '',
          sku: row['sku'] ?? null,
          title: row['title'] ?? '',
          type: row['type'] as Product['type'],
          archived: row['archived'] === 't',
          kits: new Set(JSON.parse(row['kits'] ?? '[]') as string[]),
        }
      : null,
  reads: [
    ['item_variants', (_, { id }) => id],
    ['items', part => part?.item_id],
  ],
})

/** The variants that a body names as components, by id. Others are not to be looked for. */
export const partsNamed = (wanted: readonly Wanted[]): Need<FindPart> => ({
  ask: (load, tenantId) => {
    for (const { item_variant_id: id } of wanted) partOfKits.ask(load, tenantId, { id })
  },
  see: work => id => work.answer(partOfKits, { id }),
})

/** After kits were made or changed: in which kits their components stand is asked for again. */
export function forgetParts(work: Work, ...products: readonly (Product | null)[]): void {
  for (const { components } of products.flatMap(product => product?.variants ?? []))
    for (const { item_variant_id: id } of components) work.dropAnswer(partOfKits, { id })
}
