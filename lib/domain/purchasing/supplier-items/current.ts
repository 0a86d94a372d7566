/**
 * Which supplier item is used: for a supplier and a variant the unarchived one, for a variant the preferred one. Commands change both
 * within a unit of work; `keepCurrent` makes the change visible to later commands.
 */
import { answerOf, type Need } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import type { Sql } from '../../../kit/documents/sql.ts'
import { recordFrom, selected } from '../../../kit/documents/statements.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { SupplierItem } from './noun.ts'

/** Stores the row's item as a loaded record. Returns the item's id. */
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
/** The supplier's unarchived item of a variant. An item that was not loaded is looked up in the next unit of work. */
export type FindItem = (of: Of) => SupplierItem | null

/** The supplier's items of these variants. Without a supplier nothing is loaded. */
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

/** Call it after an item was made (`before` is null) or changed. */
export function keepCurrent(work: Work, before: SupplierItem | null, after: SupplierItem): void {
  const { id, supplier_id, item_variant_id } = after
  if (!after.archived) work.changeAnswer(activeItem, { supplier_id, item_variant_id }, id)
  else if (before?.archived === false) work.changeAnswer(activeItem, { supplier_id, item_variant_id }, null)
  if (after.is_preferred) work.changeAnswer(preferredItem, { item_variant_id }, id)
  else if (before?.is_preferred) work.changeAnswer(preferredItem, { item_variant_id }, null)
}

/**
 * Selects the preferred item of a variant for a read: at most one row with the columns of `supplier_items`. Archived items are left out.
 * Both parameters are SQL; `variant` names an id.
 */
export const preferredRow = (tenant: Sql, variant: Sql): Sql =>
  `select * from supplier_items where tenant_id = ${tenant} and preferred_variant_id = ${variant} and not archived limit 1`
