/** The people in documents, by the names of API keys. A name keeps its id when its key is rotated. */
import { document } from '../../kit/documents/document.ts'
import { key, text } from '../../kit/fields/kinds.ts'

export const User = document({
  kind: 'user',
  noun: 'user',
  table: 'users',
  fields: { id: key(), name: text() },
  unique: ['name'],
})
