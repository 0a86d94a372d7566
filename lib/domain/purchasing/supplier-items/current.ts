/**
 * Which supplier item counts: of a supplier and a variant the one that is not archived, and of a variant the preferred one. Both change
 * within a unit of work: `keepCurrent` says so to the commands behind.
 */
import { answerOf, type Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import { recordFrom, selected } from '../../../kit/documents/statements.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { SupplierItem } from './noun.ts'

/** The item of the row, taken down as a record, by its id. */
function putItem(work: Work, [row]: readonly TextRow[]): string | null {
  if (row === undefined) return null
  const item = recordFrom(SupplierItem.columns, row) as SupplierItem
  work.put(SupplierItem, item.id, item)
  return item.id
}

const activeItem = question({
  name: 'supplier items',
  keys: { supplier_id: 'bigint', item_variant_id: 'bigint' },
  sql: asked => `
    select q.tenant_id, ${selected(SupplierItem.columns, 'r')}
    from ${asked}
    cross join lateral (
      select * from supplier_items
      where tenant_id = q.tenant_id and active_supplier_id = q.supplier_id and item_variant_id = q.item_variant_id limit 1
    ) r`,
  read: (rows, work) => putItem(work, rows),
})

const preferredItem = question({
  name: 'preferred supplier items',
  keys: { item_variant_id: 'bigint' },
  sql: asked => `
    select q.tenant_id, ${selected(SupplierItem.columns, 'r')}
    from ${asked}
    cross join lateral (
      select * from supplier_items where tenant_id = q.tenant_id and preferred_variant_id = q.item_variant_id limit 1
    ) r`,
  read: (rows, work) => putItem(work, rows),
})

const itemIn = (work: Work, id: string | null): SupplierItem | null =>
  id === null ? null : work.find(SupplierItem, id)

/** The preferred item of the variant, archived or not. */
export const preferredOf = (itemVariantId: string): Need<SupplierItem | null> => {
  const { ask, see } = answerOf(preferredItem, { item_variant_id: itemVariantId })
  return { ask, see: work => itemIn(work, see(work)) }
}

type Of = { readonly supplierId: string; readonly itemVariantId: string }
/** The unarchived item of a supplier for a variant. Others than were asked about are looked up in the next unit of work. */
export type FindItem = (of: Of) => SupplierItem | null

/** What the supplier has of these variants; of no supplier nothing is asked. */
export const itemsOf = (supplierId: string | undefined, itemVariantIds: readonly string[]): Need<FindItem> => ({
  ask: (load, tenantId) => {
    if (supplierId === undefined) return
    for (const item_variant_id of itemVariantIds)
      activeItem.ask(load, tenantId, { supplier_id: supplierId, item_variant_id })
  },
  see:
    work =>
    ({ supplierId: supplier_id, itemVariantId: item_variant_id }) =>
      itemIn(work, work.answer(activeItem, { supplier_id, item_variant_id })),
})

/** After an item was made (`before` is null) or changed. */
export function keepCurrent(work: Work, before: SupplierItem | null, after: SupplierItem): void {
  const { id, supplier_id, item_variant_id } = after
  if (!after.archived) work.changeAnswer(activeItem, { supplier_id, item_variant_id }, id)
  else if (before?.archived === false) work.changeAnswer(activeItem, { supplier_id, item_variant_id }, null)
  if (after.is_preferred) work.changeAnswer(preferredItem, { item_variant_id }, id)
  else if (before?.is_preferred) work.changeAnswer(preferredItem, { item_variant_id }, null)
}

/**
 * Selects the preferred item of a variant for a read, at most one row with the columns of `supplier_items`; an archived item is none. Both
 * are SQL: `variant` names an id.
 */
export const preferredRow = (tenant: Sql, variant: Sql): Sql =>
  `select * from supplier_items where tenant_id = ${tenant} and preferred_variant_id = ${variant} and not archived limit 1`
