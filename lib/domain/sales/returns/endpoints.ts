/** The endpoints of sales returns. */

import { readsOf } from '../../../kit/documents/noun.ts'
import { resource } from '../../../kit/documents/resources.ts'
import { cancelReturn, changeReturn, createReturn, receiveReturn } from './commands.ts'
import { demo } from './demo.ts'
import { examples } from './examples.ts'
import { SalesReturn } from './noun.ts'

export const [listReturns, getReturn] = readsOf(SalesReturn)

export const salesReturns = resource(
  [SalesReturn],
  [listReturns, getReturn, createReturn, changeReturn, receiveReturn, cancelReturn],
  { examples, demo },
)
