/** Sends the statements of reads: each read with each of its choices, and each list with each of its filters. */
import type { ListEndpoint, ReadEndpoint } from '../../../lib/kit/api/endpoint.ts'
import { jsonSchemaOf } from '../../../lib/kit/api/json-schema.ts'
import { endpoints } from '../../../lib/nouns.ts'
import { filterChoices } from '../../scaling/filter-choices.ts'
import type { Loose } from '../../support/command-context.ts'
import type { World } from '../world.ts'
import type { SendingTenant } from './tenant.ts'

/**
 * Lists whose filters are also given in pairs, in one order. All other lists make their pages with the code of listSalesOrders
 * (lib/kit/api/list-page.ts), so their pairs would send the same kinds of statements.
 */
const IN_PAIRS = new Set([
  'listProducts',
  'listStock',
  'listAvailability',
  'listStockValuation',
  'listStockMovements',
  'listShortages',
  'listAllProductionTasks',
  'listSalesOrders',
])

export async function sendReads(
  tenant: SendingTenant,
  { queryOf, recordFor }: Pick<World<unknown>, 'queryOf' | 'recordFor'>,
): Promise<void> {
  for (const endpoint of endpoints) {
    if (endpoint.kind !== 'read' && endpoint.kind !== 'list') continue
    const params = paramsOf(endpoint, await recordFor(endpoint.path))
    if (endpoint.kind === 'list') await tenant.pages(endpoint, params, pagesOf(endpoint))
    else for (const query of queriesOf(endpoint, queryOf(endpoint))) await tenant.read(endpoint, { params, query })
  }
}

const paramsOf = ({ path }: ReadEndpoint | ListEndpoint, record: Loose) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, record?.id]))

/** The example, and the example with each value of each choice. */
function* queriesOf({ query }: ReadEndpoint, example: Readonly<Record<string, string>>) {
  yield example
  const parameters = (query && jsonSchemaOf(query, 'request').properties) ?? {}
  for (const [name, { enum: values = [] }] of Object.entries(parameters))
    for (const value of values) yield { ...example, [name]: String(value) }
}

/** A cursor of a list that is ordered by ids, or of one that is ordered by another value first. */
const positionIn = ({ id }: ListEndpoint, filters: object): string => {
  const goesByMore = id === 'listAvailability' || id === 'listAllProductionTasks'
  return goesByMore || ('updated_after' in filters && id !== 'listStock') ? '1_1' : '1'
}

function* pagesOf(endpoint: ListEndpoint) {
  const required = Object.keys(endpoint.exampleQuery ?? {}).length
  for (const choice of filterChoices(endpoint)) {
    // A sequence beyond the last event is refused.
    const filters = 'after_sequence' in choice ? { ...choice, after_sequence: '1' } : choice
    const isPair = Object.keys(filters).length > required + 1
    if (isPair && !IN_PAIRS.has(endpoint.id)) continue
    for (const order of isPair ? (['asc'] as const) : (['asc', 'desc'] as const))
      for (const after of isPair ? [null] : [null, positionIn(endpoint, filters)]) yield { filters, order, after }
  }
}
