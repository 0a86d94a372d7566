/** The commands that make and change supplier items (docs/rules/purchasing.md, "Supplier items"). */
import type { DomainEvent } from '../../../kit/api/endpoint.ts'
import { invalid, type Refusal } from '../../../kit/api/errors.ts'
import { changes } from '../../../kit/documents/acts.ts'
import { changed, isSame, made } from '../../../kit/documents/command.ts'
import { creates } from '../../../kit/documents/creates.ts'
import { merged } from '../../../kit/documents/merging.ts'
import { theRecord } from '../../../kit/documents/needs.ts'
import type { Work } from '../../../kit/documents/work.ts'
import { refuseCurrency } from '../../accounting/currencies.ts'
import { noSuchVariant } from '../../catalogue/no-such-variant.ts'
import { Item, Variant } from '../../catalogue/variant.ts'
import { refusePartner } from '../../partners/chosen.ts'
import { Supplier } from '../../partners/noun.ts'
import { itemsOf, keepCurrent, preferredOf } from './current.ts'
import { SupplierItem } from './noun.ts'

/** A supplier has at most one unarchived item of a variant. `own` is the item that changes. */
function refuseSecond(field: string, current: SupplierItem | null, own?: string): Refusal | null {
  if (current === null || current.id === own) return null
  return invalid(field, `the supplier item ${current.id} is for this supplier and variant already`)
}

const pairOf = ({ supplier_id, item_variant_id }: Pick<SupplierItem, 'supplier_id' | 'item_variant_id'>) => ({
  supplierId: supplier_id,
  itemVariantId: item_variant_id,
})

/** A kit is not bought: its components are. */
const refuseKit = ({ item_id: itemId, sku, title }: Variant, work: Work): Refusal | null =>
  work.find(Item, itemId)?.type === 'KIT'
    ? invalid('item_variant_id', `${sku ?? title} is a kit, which is not bought: its components are`)
    : null

/** Makes the variant's former preferred item no longer preferred, if `item` is preferred now. Returns the event of the former one. */
function endOther(work: Work, item: SupplierItem, preferred: SupplierItem | null): readonly DomainEvent[] {
  if (!item.is_preferred || preferred === null || preferred.id === item.id) return []
  const after = work.change(SupplierItem, { ...preferred, is_preferred: false })
  keepCurrent(work, preferred, after)
  return changed(work, SupplierItem, { before: preferred, after, event: 'updated' }).events
}

/**
 * Refuses `validation_failed` for an absent or archived supplier, an absent variant, a kit, an unknown currency, a second item of the
 * variant, and a taken external_ref.
 */
export const createSupplierItem = creates(SupplierItem, {
  description:
    'Purchase orders to the supplier take units, rate and price from it, unless their lines say otherwise. A supplier has one ' +
    'item of a variant that is not archived, else 400. With `is_preferred` the item of the variant that was preferred until now is ' +
    'so no more, which is told by an event of its own.',
  example: {
    supplier_id: '1012',
    item_variant_id: '1042',
    supplier_sku: 'NP-4711',
    purchase_unit_name: 'box of 12',
    conversion_rate: 12,
    price: 10,
    currency: 'EUR',
    lead_time_days: 5,
    is_preferred: true,
  },
  needs: body => ({
    supplier: theRecord(Supplier, body.supplier_id),
    variant: theRecord(Variant, body.item_variant_id),
    current: itemsOf(body.supplier_id, [body.item_variant_id]),
    preferred: preferredOf(body.item_variant_id),
  }),
  decide: (body, { supplier, variant, current, preferred, refuseTaken }, { now, work }) => {
    const refused =
      refusePartner(Supplier, supplier) ??
      (variant === null ? noSuchVariant('item_variant_id', body.item_variant_id) : refuseKit(variant, work)) ??
      refuseCurrency(body.currency) ??
      refuseTaken() ??
      refuseSecond('item_variant_id', current(pairOf(body)))
    if (refused) return refused
    const item: SupplierItem = { ...body, id: work.newId(), archived: false, created_at: now, updated_at: now }
    const events = endOther(work, item, preferred)
    keepCurrent(work, null, item)
    return made(work, SupplierItem, work.make(SupplierItem, item), events)
  },
})

/**
 * Refuses as `createSupplierItem` does, and for an archived item that becomes preferred. A body that changes nothing writes nothing and has
 * no event.
 */
export const changeSupplierItem = changes(SupplierItem, {
  description:
    'What is omitted stays; null clears a nullable field. Supplier and variant stay. Lines of orders keep what they have of it. An ' +
    'archived item counts for no new line, and another one may take its place; then unarchiving it is 400. A body that changes ' +
    'nothing answers the supplier item as it is.',
  example: { price: 10.5, lead_time_days: 7 },
  more: ({ record: { supplier_id, item_variant_id } }) => ({
    current: itemsOf(supplier_id, [item_variant_id]),
    preferred: preferredOf(item_variant_id),
  }),
  decide: ({ record: before, body }, { current, preferred, refuseTaken }, { work }) => {
    const next = merged(SupplierItem, before, body)
    const refused =
      refuseCurrency(body.currency) ??
      refuseTaken(before.id) ??
      (next.archived ? refuseArchived(before, next) : refuseSecond('archived', current(pairOf(before)), before.id))
    if (refused) return refused
    if (isSame(before, next)) return { body: work.render(SupplierItem, before), events: [] }
    const events = endOther(work, next, preferred)
    const after = work.change(SupplierItem, next)
    keepCurrent(work, before, after)
    const own = changed(work, SupplierItem, { before, after, event: 'updated' })
    return { ...own, events: [...events, ...own.events] }
  },
})

/** An archived item cannot become preferred: purchase orders do not use it. */
const refuseArchived = (before: SupplierItem, next: SupplierItem): Refusal | null =>
  next.is_preferred && !before.is_preferred ? invalid('is_preferred', 'the supplier item is archived') : null
