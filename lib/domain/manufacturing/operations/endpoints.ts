/** The endpoints of operations. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { changeOperation, createOperation } from './commands.ts'
import { examples } from './examples.ts'
import { Operation } from './noun.ts'

export const [listOperations, getOperation] = readsOf(Operation)

export const operations = resource([Operation], [listOperations, getOperation, createOperation, changeOperation], {
  examples,
})
