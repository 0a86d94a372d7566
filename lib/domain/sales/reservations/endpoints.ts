/** The endpoints of reservations. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeReservation, createReservation, releaseReservation } from './commands.ts'
import { demo } from './demo.ts'
import { examples } from './examples.ts'
import { Reservation } from './noun.ts'

export const [listReservations, getReservation] = readsOf(Reservation)

export const reservations = resource(
  [Reservation],
  [listReservations, getReservation, createReservation, changeReservation, releaseReservation],
  { examples, demo },
)
