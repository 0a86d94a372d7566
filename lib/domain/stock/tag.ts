/** The group of the endpoints that read the stock. */
import type { Tag } from '../../kit/api/endpoint.ts'

export const stockTag: Tag = [
  'Stock',
  'What is there, what it is worth and how it moved: entries, levels, movements, batches and their trace.',
]
