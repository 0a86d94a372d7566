/** Owns the group of what is read of the books. */
import type { Tag } from '../../kit/api/endpoint.ts'

export const booksTag: Tag = [
  'Books',
  'Double entries of every change of the stock, of work in progress, and of every expense.',
]
