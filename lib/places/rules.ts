/**
 * Decides on new storage places. Pure: no I/O and no clock (contract 2, "Storage place").
 */
import { invalid, type Refusal } from '../api/errors.ts'
import type { NewStoragePlace } from './schemas.ts'

export type PlaceSurroundings = {
  /** Whether the tenant has a main place. */
  readonly hasMain: boolean
  /** Whether another place has the external_ref. */
  readonly externalRefTaken: boolean
}

export type PlaceValues = NewStoragePlace & { readonly is_main: boolean }

/** The first place becomes the main one. Refuses `validation_failed` for a taken external_ref. */
export function decidePlace(body: NewStoragePlace, surroundings: PlaceSurroundings): PlaceValues | Refusal {
  if (surroundings.externalRefTaken) return invalid('external_ref', 'is taken by another storage place')
  return { ...body, is_main: !surroundings.hasMain }
}
