/** Values for the filters of lists on a filled database. */
import type { ListEndpoint } from '../../lib/kit/api/endpoint.ts'
import { jsonSchemaOf, type SchemaObject } from '../../lib/kit/api/json-schema.ts'
import { HUGE_BASE, HUGE_ROWS } from './skewed-tenants.ts'

type Filters = Readonly<Record<string, string>>

const SOME_ROW = (HUGE_ROWS * 3) / 4
const someId = String(HUGE_BASE + SOME_ROW)
/** Times before all rows, among the rows that are spread over years, and after all but a few of the rows that were added now. */
const longAgo = new Date(Date.now() - 1_000_000_000_000).toISOString()
const daysAgo = new Date(Date.now() - 1_000_000_000).toISOString()
const lately = new Date(Date.now() - (HUGE_ROWS + 30) * 1_000).toISOString()

const dayOf = (time: string) => time.slice(0, 10)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Ids. The first is of a record that many rows name, if there is one. */
function idsOf(name: string): readonly string[] {
  if (name.endsWith('place_id')) return [String(HUGE_BASE + (name.startsWith('to_') ? 2 : 1)), someId]
  if (name === 'customer_id' || name === 'supplier_id') return [String(HUGE_BASE + 5), someId]
  return [someId]
}

/** Ids of more records, each of which many rows or few rows name. */
const several = (name: string): string =>
  [3, 7, HUGE_ROWS / 2]
    .map(row => HUGE_BASE + row)
    .concat(idsOf(name).map(Number))
    .join()
const HUNDRED = Array.from({ length: 100 }, (_, at) => HUGE_BASE + 1 + at * 100).join()

/** Values of a filter. Many rows have the first value, and have it together with the first value of every other filter. */
function valuesOf(name: string, schema: SchemaObject): readonly string[] {
  if (schema.enum) return schema.enum.map(String)
  if (schema.items?.enum) {
    const values = schema.items.enum.map(String)
    return [...values, values.slice(0, 2).join(), values.join()]
  }
  if (schema.type === 'array') return [...idsOf(name), several(name), HUNDRED]
  if (schema.type === 'boolean') return ['false', 'true']
  // Dates for filters of the next two hundred days: dates that match all rows, and dates that match only the last or the first rows.
  if (/^(?:delivery|expected|planned_start)_after$/.test(name)) return [longAgo, inDays(150)]
  if (/^(?:delivery|expected|planned_start|expires)_before$/.test(name)) return [inDays(300), inDays(10)]
  if (name === 'as_of') return [lately, new Date().toISOString(), daysAgo]
  if (name === 'through') return [dayOf(lately), dayOf(longAgo)]
  if (name === 'day_from') return [longAgo, lately, daysAgo].map(dayOf)
  if (name === 'day_to') return [lately, longAgo, daysAgo].map(dayOf)
  if (name.endsWith('_after')) return [longAgo, lately, daysAgo]
  if (name.endsWith('_before')) return [lately, longAgo, daysAgo]
  if (name === 'request_id')
    return [`req_${(HUGE_BASE + SOME_ROW).toString(16).padStart(12, '0').padEnd(32, '0')}`, 'absent']
  if (name === 'id' || name.endsWith('_id')) return idsOf(name)
  if (name === 'after_sequence') return [someId]
  // Words that match one product, one order, one order and its partner, several with theirs, all, none, and single characters, for which
  // there is no index.
  if (name === 'q')
    return [`T-${SOME_ROW}`, `N-${SOME_ROW}`, `n-${SOME_ROW} t-3`, 'N-15 t-3', 't-', '\u2603\u2603', '-']
  if (name === 'idempotency_key') return [`K-${SOME_ROW}`, 'absent']
  if (name === 'barcode') return [`B-${SOME_ROW}`, 'absent']
  if (name === 'batch_number') return [`N-${SOME_ROW}`, 'absent']
  if (name === 'code') return ['absent']
  if (name === 'sku' || name === 'supplier_sku') return [`S-${SOME_ROW}`, 'absent']
  if (name === 'number') return [`N-${SOME_ROW}`, 'absent', 'LOT']
  if (name.endsWith('_ref')) return [`R-${SOME_ROW}`, 'absent']
  throw new Error(`no value for the filter ${name}`)
}

type Filter = { readonly name: string; readonly values: readonly string[]; readonly namesIds: boolean }

function filtersOf(endpoint: ListEndpoint): readonly Filter[] {
  const schemas = Object.entries((endpoint.filters && jsonSchemaOf(endpoint.filters, 'request').properties) ?? {})
  return schemas.map(([name, schema]) => ({
    name,
    values: valuesOf(name, schema),
    namesIds: schema.type === 'array' && !schema.items?.enum,
  }))
}

/** The required filters alone, and each other filter with each of its values. */
export function singleChoices(endpoint: ListEndpoint): readonly Filters[] {
  const alone = filtersOf(endpoint).flatMap(({ name, values }) => values.map(value => ({ [name]: value })))
  return [{}, ...alone].map(choice => withRequired(endpoint, choice))
}

/** The filters with the required ones. A day (`through`) replaces a moment (`as_of`). */
function withRequired({ exampleQuery = {} }: ListEndpoint, choice: Filters): Filters {
  const { as_of: moment, ...rest } = { ...exampleQuery, ...choice }
  return moment === undefined || 'through' in choice ? rest : { ...rest, as_of: moment }
}

/** The same, and each pair of filters with the first values of both. A filter with ids also has several of them. */
export function filterChoices(endpoint: ListEndpoint): readonly Filters[] {
  const filters = filtersOf(endpoint).map(({ name, values: [first = ''], namesIds }) => ({
    name,
    first,
    more: namesIds ? [several(name)] : [],
  }))
  const pairs = filters.flatMap((one, at) =>
    filters
      .slice(at + 1)
      .flatMap(other => [
        { [one.name]: one.first, [other.name]: other.first },
        ...one.more.map(ids => ({ [one.name]: ids, [other.name]: other.first })),
        ...other.more.map(ids => ({ [one.name]: one.first, [other.name]: ids })),
      ]),
  )
  return [...singleChoices(endpoint), ...pairs.map(pair => withRequired(endpoint, pair))]
}
