/** All mutants, area by area. */
import { documents } from './list/documents.ts'
import { edge } from './list/edge.ts'
import { stock } from './list/stock.ts'
import { tools } from './list/tools.ts'
import { webhooks } from './list/webhooks.ts'
import { writes } from './list/writes.ts'
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [...stock, ...documents, ...writes, ...edge, ...webhooks, ...tools]
