/** Decides on storage places: which of them documents may name, and how one changes. Pure: no I/O and no clock (docs/rules/places.md). */
import { invalid, noSuch, type Refusal, refuse } from '../../kit/api/errors.ts'
import { merged } from '../../kit/documents/merging.ts'
import { type Place, type PlaceChange, StoragePlace } from './noun.ts'

/** The use of a place that a document needs. */
export type Purpose = 'manufacturing' | 'sales' | 'purchases'

const allows: Readonly<Record<Purpose, (place: Place) => boolean>> = {
  manufacturing: place => place.manufacturing_allowed,
  sales: place => place.sales_allowed,
  purchases: place => place.purchase_allowed,
}

/** Refuses `validation_failed` for a place that a new document names and that is absent, archived, or not for this purpose. */
export function refusePlace(field: string, place: Place | null | undefined, purpose?: Purpose): Refusal | null {
  if (place == null) return noSuch(field, 'storage place')
  if (place.archived) return invalid(field, 'the storage place is archived')
  return purpose === undefined || allows[purpose](place)
    ? null
    : invalid(field, `the storage place does not allow ${purpose}`)
}

/**
 * Refuses `conflict` for a place of a document that was archived after the document was made.
 * @param what what the place would get: `goods`, or `goods back`
 */
export function refuseArchived(place: Place | null | undefined, what: 'goods' | 'goods back'): Refusal | null {
  return place?.archived
    ? refuse('conflict', `the storage place ${place.title} is archived, and would get ${what}`)
    : null
}

/** Refuses `conflict` for a main place that is archived. */
export const refuseMainArchived = ({ is_main, archived }: Pick<Place, 'is_main' | 'archived'>): Refusal | null =>
  is_main && archived ? refuse('conflict', 'archived: the main storage place cannot be archived') : null

/** The place after the change. Refuses `conflict` for archiving the main place, and for archiving a place that holds or reserves stock. */
export function changedPlace(before: Place, body: PlaceChange, isInUse: () => boolean): Place | Refusal {
  const after = merged(StoragePlace, before, body)
  if (after.archived && !before.archived) {
    const refused = refuseMainArchived(after)
    if (refused) return refused
    if (isInUse()) return refuse('conflict', 'archived: the storage place holds stock, or stock is reserved there')
  }
  return after
}
