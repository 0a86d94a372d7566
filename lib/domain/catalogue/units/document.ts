/** What a unit is: `pcs`, `kg`. The first product or operation that names a unit makes it. */
import { document } from '../../../kit/documents/document.ts'
import { key, text } from '../../../kit/fields/kinds.ts'

export const Unit = document({
  kind: 'unit',
  noun: 'unit',
  table: 'units',
  fields: { id: key(), name: text() },
  unique: ['name'],
})
