/** The tenant's main place: where lines stand that name none. */
import { chosenPlace } from './chosen-place.ts'

/** Under what the unit of work holds it. */
export const MAIN_PLACE = 'main'

/** Null where the tenant has no places. */
export const mainPlace = chosenPlace({ name: MAIN_PLACE, where: 'is_main' })
