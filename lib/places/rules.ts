/**
 * Decides on new storage places. Pure: no I/O and no clock (contract 2, "Storage place").
 */
import { refuseTakenBy } from '../accounting/taken.ts'
import type { Refusal } from '../api/errors.ts'
import type { NewStoragePlace } from './schemas.ts'

export type PlaceSurroundings = {
  /** Whether the tenant has a main place. */
  readonly hasMain: boolean
  /** The other place that has the external_ref, or null. */
  readonly externalRefTakenBy: string | null
}

export type PlaceValues = NewStoragePlace & { readonly is_main: boolean }

/** The first place becomes the main one. Refuses `validation_failed` for a taken external_ref. */
export function decidePlace(body: NewStoragePlace, surroundings: PlaceSurroundings): PlaceValues | Refusal {
  const values = { ...body, is_main: !surroundings.hasMain }
  return refuseTakenBy('external_ref', surroundings.externalRefTakenBy) ?? values
}
