/** What is known of the variants that kits are to contain. Only commands whose body has components load it. */
import { Known } from '../../../kit/documents/answers.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { type Micro, parseMicro } from '../../../platform/decimal.ts'
import type { Product } from '../noun.ts'
import { type Component, KITS_MAX, type Wanted } from './fields.ts'

export type Part = Omit<Component, 'quantity'> & {
  readonly type: Product['type']
  /** The variant or its product is archived. */
  readonly archived: boolean
  /** The kits that contain the variant, archived ones too. */
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

/** The variants that a body names as components, by id. No other variant may be looked up. */
export const partsNamed = (wanted: readonly Wanted[]): Need<FindPart> => ({
  ask: (load, tenantId) => {
    for (const { item_variant_id: id } of wanted) partOfKits.ask(load, tenantId, { id })
  },
  see: work => id => work.answer(partOfKits, { id }),
})

/** Whether a variant is a component of kits. The question that loads variants answers this too. */
export const standsInKits = new Known<'id', boolean>('variants in kits', ['id'])

/**
 * What is available of a component at each place where it has a row, as the last event says. Stock writes drop this answer for each variant
 * whose stock they change.
 */
type PartLevels = {
  readonly holdsStock: boolean
  /** The available quantity by place id; '' for a tenant without places. */
  readonly available: ReadonlyMap<string, Micro>
  /** '' for a tenant without places. */
  readonly mainPlaceId: string
}

const partLevels = question({
  name: 'levels of components',
  keys: { id: 'bigint' },
  sql: asked => `
    select q.tenant_id, q.id, i.type, r.place_id, r.available, r.is_main
    from ${asked}
    cross join lateral (select item_id from item_variants where tenant_id = q.tenant_id and id = q.id limit 1) v
    cross join lateral (select type from items where tenant_id = q.tenant_id and id = v.item_id limit 1) i
    cross join lateral (
      select b.storage_place_id as place_id, b.quantity - b.quarantine_quantity - b.expired_quantity - coalesce((
          select reserved_quantity from stock_levels
          where tenant_id = b.tenant_id and item_variant_id = b.item_variant_id and place_key = b.place_key and batch_key = 0 limit 1
        ), 0) as available, false as is_main
      from stock_balances b where b.tenant_id = q.tenant_id and b.item_variant_id = q.id
      union all
      select (select id from storage_places where tenant_id = q.tenant_id and is_main limit 1), null, true
    ) r`,
  read: (rows): PartLevels => ({
    holdsStock: rows[0]?.['type'] !== 'SERVICE',
    available: new Map(
      rows.flatMap(row =>
        row['available'] == null ? [] : [[row['place_id'] ?? '', parseMicro(row['available'])] as const],
      ),
    ),
    mainPlaceId: rows.find(row => row['is_main'] === 't')?.['place_id'] ?? '',
  }),
})

export type FindLevels = (id: string) => PartLevels

/** What is available of the components that a change adds to kits or removes from them. */
export const levelsOf = (wanted: readonly Wanted[]): Need<FindLevels> => ({
  ask: (load, tenantId) => {
    for (const { item_variant_id: id } of wanted) partLevels.ask(load, tenantId, { id })
  },
  see: work => id => work.answer(partLevels, { id }),
})

/** Call it after the stock of a variant changed. */
export const forgetLevels = (work: Work, id: string): void => work.dropAnswer(partLevels, { id })

/** Call it after goods expired: only time changed what is available. */
export function turnLevels(
  work: Work,
  { id, placeId, available }: { readonly id: string; readonly placeId: string | null; readonly available: Micro },
): void {
  const known = work.knownAnswer(partLevels, { id })
  if (known === undefined) return
  const levels = new Map(known.available).set(placeId ?? '', available)
  work.changeAnswer(partLevels, { id }, { ...known, available: levels })
}

/** Call it after kits were made or changed: the kits of their components are loaded again. */
export function forgetParts(work: Work, ...products: readonly (Product | null)[]): void {
  for (const { components } of products.flatMap(product => product?.variants ?? []))
    for (const { item_variant_id: id } of components) {
      work.dropAnswer(partOfKits, { id })
      work.dropAnswer(standsInKits, { id })
    }
}
