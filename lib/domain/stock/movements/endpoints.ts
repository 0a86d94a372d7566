/** The endpoint of stock movements. */
import { readsOf } from '../../../kit/documents/noun.ts'
import { type Others, resource } from '../../../kit/documents/resources.ts'
import { movementOf } from './noun.ts'

export const stockMovements = ({ booked }: Others) => {
  const Movement = movementOf(booked)
  const [list] = readsOf(Movement)
  return resource([Movement], [list])
}
