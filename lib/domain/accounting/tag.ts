/** The group of the endpoints that read the books. */
import type { Tag } from '../../kit/api/endpoint.ts'

export const booksTag: Tag = [
  'Books',
  'Double entries of every change of the stock, of work in progress, and of every expense.',
]
