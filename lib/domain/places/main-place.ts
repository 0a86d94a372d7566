/** The tenant's main place, which lines without a place use. */
import { choice, chosenPlace } from './chosen-place.ts'

export const mainPlaceId = choice('main', 'is_main')

/** Null if the tenant has no places. */
export const mainPlace = chosenPlace(mainPlaceId)
