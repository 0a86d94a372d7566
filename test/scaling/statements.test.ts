/**
 * The number of different statements. Each connection keeps every text that it has prepared, and the number of names for them is limited
 * (lib/platform/postgres/postgres.ts): filters in any combination must not use them up.
 */

import type { ListEndpoint } from '../../lib/kit/api/endpoint.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { validate } from '../../lib/kit/api/validate.ts'
import { endpoints } from '../../lib/nouns.ts'
import { createPool, type Pool, PREPARED_STATEMENTS_MAX } from '../../lib/platform/postgres/postgres.ts'
import { ofTests } from '../support/of-file.ts'
import { askingOnce, readerOn } from '../support/reader-on.ts'
import { testServices } from '../support/services.ts'
import { testsOf } from '../support/suite.ts'
import { singleChoices } from './filter-choices.ts'

const test = testsOf(import.meta)

/** Services of its own: without rows no statement runs for long. */
const services = ofTests(test, testServices)
const texts = new Set<string>()
let pool: Pool
test.before(async () => {
  pool = await createPool(services.databaseUrl, {
    size: 1,
    statementTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 10_000,
    checkRows: true,
    onStatement: ({ sql }) => texts.add(sql),
  })
})
test.after.always(() => pool.end())

const contextOn = (on: Pool) => ({
  tenantId: '1',
  actor: { keyId: '1', userName: 'T' },
  scopes: new Set<string>(),
  pool: askingOnce(readerOn(on, '1')),
  now: new Date().toISOString(),
})

type Filters = Readonly<Record<string, string>>

/** In addition to the required ones. Of 25,000 combinations with any number of filters a quarter finds six more statements, of 1,028. */
const FILTERS_MAX = 3

/** The combinations of filters, each absent or with a value. Statements contain the text of flags. Other values are bound. */
function choicesOf(endpoint: ListEndpoint): readonly Filters[] {
  const alone = singleChoices({ ...endpoint, exampleQuery: {} }).filter(choice => Object.keys(choice).length === 1)
  const byName = Map.groupBy(alone, choice => Object.keys(choice)[0] ?? '')
  const required = Object.keys(endpoint.exampleQuery ?? {}).length
  let choices: readonly Filters[] = [endpoint.exampleQuery ?? {}]
  for (const [name, values] of byName) {
    const isFlag = values.every(choice => /^(?:true|false)$/.test(choice[name] ?? ''))
    const used = isFlag ? values : values.slice(0, 1)
    choices = choices
      .flatMap(choice => [choice, ...used.map(value => ({ ...choice, ...value }))])
      .filter(choice => Object.keys(choice).length <= required + FILTERS_MAX)
  }
  return choices
}

test('all choices of up to three filters of all lists need no more than three fifths of the names for prepared statements', async t => {
  const lists = endpoints.filter(endpoint => endpoint.kind === 'list')
  const context = contextOn(pool)
  let choices = 0
  for (const endpoint of lists) {
    const params = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1']))
    for (const choice of choicesOf(endpoint)) {
      const filters = endpoint.filters ? validate(endpoint.filters, choice, 'query') : {}
      t.false(isRefusal(filters), `${endpoint.path} ${JSON.stringify(choice)}`)
      for (const order of ['asc', 'desc'] as const)
        await endpoint.page(context, { params, filters: filters as never, after: null, limit: 2, order })
      choices++
    }
  }
  t.log(`${choices} choices are ${texts.size} statements`)
  t.true(choices > PREPARED_STATEMENTS_MAX)
  t.true(texts.size <= PREPARED_STATEMENTS_MAX * 0.6, `${texts.size} statements`)
})
