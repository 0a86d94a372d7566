/** The filters of lists: the query field of each filter, and its condition on a page. Every list declares its own. */
import type * as v from 'valibot'
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import type { Order, Schema } from './endpoint.ts'
import { invalid, type Refusal } from './errors.ts'
import {
  type Choices,
  code,
  identifier,
  oneOf,
  optional,
  queryFlag,
  shape,
  someIds,
  someOf,
  timestamp,
} from './fields.ts'
import type { Asked } from './page-question.ts'
import { explained } from './reply-fields.ts'
import { same } from './same.ts'
import type { TimeRange } from './time-range.ts'

// biome-ignore lint/suspicious/noExplicitAny: each filter reads what its own schema made
export type Given = Readonly<Record<string, any>>

export type Filter = {
  /** The schema has a description (`explained`) if the filter does more than compare the column. */
  readonly schema: v.GenericSchema
  /** Also called without a value: the statement's text contains filters by equality, given or not. */
  readonly ask: (given: Given, of: { readonly name: string; readonly tenantId: string }) => Asked
}

/** The filters of a list: their schema, and their common conditions. */
export type ListFilters = {
  readonly schema: Schema
  /** `given` is the schema's output. */
  readonly ask: (given: unknown, tenantId: string) => Asked
}

/**
 * Declares the filters of a list of records by name. The name is also the column's, unless the filter has another. List the filters by
 * equality that find the fewest rows first. Every list of records has the filter `id`.
 */
export function filtersOf(filters: Readonly<Record<string, Filter>>): ListFilters {
  const entries = Object.entries({ id: byIds, ...filters })
  return {
    schema: shape(Object.fromEntries(entries.map(([name, { schema }]) => [name, optional(schema as never)]))),
    ask: (given, tenantId) =>
      entries.map(([name, { ask }]) => ask(given as Given, { name, tenantId })).reduce(together, {}),
  }
}

const together = (a: Asked, b: Asked): Asked => ({
  ...a,
  ...b,
  same: [...(a.same ?? []), ...(b.same ?? [])],
  ...(a.among && b.among ? { among: sql.fragment`(${a.among}) intersect (${b.among})` } : {}),
  flags: [...(a.flags ?? []), ...(b.flags ?? [])],
  dates: [...(a.dates ?? []), ...(b.dates ?? [])],
})

/** The row's column must equal the filter's value, or one of its values. */
const equal =
  (of: Parameters<typeof same>[0]) =>
  (schema: v.GenericSchema): Filter => ({
    schema,
    ask: (given, { name }) => ({
      same: [same(of, name, given[name] === undefined ? undefined : [given[name]].flat())],
    }),
  })
const byIds = equal({ leaves: 'one', type: 'int8' })(someIds())
const key = equal({ leaves: 'one', type: 'text' })
const fewOfText = equal({ leaves: 'few', type: 'text' })
const fewOfIds = equal({ leaves: 'few', type: 'int8' })
const manyOfText = equal({ leaves: 'many', type: 'text' })
const manyOfIds = equal({ leaves: 'many', type: 'int8' })

/** A text that is unique in the tenant. */
export const uniqueText = (schema: v.GenericSchema = identifier()): Filter => key(schema)
/** A document's number. */
export const uniqueCode = (): Filter => uniqueText(code())
/** A value that only few rows share. */
export const fewIds = (): Filter => fewOfIds(someIds())
export const fewTexts = (schema: v.GenericSchema = identifier()): Filter => fewOfText(schema)
/** A value that few or most rows may have. */
export const manyIds = (): Filter => manyOfIds(someIds())
export const oneText = (choices: Choices): Filter => manyOfText(oneOf(choices))
/** Some values of a closed list, joined by commas. */
export const someTexts = (choices: Choices): Filter => manyOfText(someOf(choices))

/** A filter by a column that is true or false. */
export const flagged = (): Filter => ({
  schema: queryFlag(),
  ask: (given, { name }) => ({ flags: [{ column: name, value: given[name] }] }),
})

/** The rows whose ids the subquery selects. They must be few. */
export const amongThe = <V = string>(
  schema: v.GenericSchema,
  ids: (value: V, of: { readonly tenantId: string; readonly given: Given }) => Fragment,
): Filter => ({
  schema,
  ask: (given, { name, tenantId }) =>
    given[name] === undefined ? {} : { among: ids(given[name], { tenantId, given }) },
})

/** The filters of a list below a record. Such a list is short. */
export const OwnFilters = shape({ id: optional(someIds()) })
export type OwnPage = {
  readonly tenantId: string
  /** The parent record of the list. */
  readonly orderId: string
  readonly filters: v.InferOutput<typeof OwnFilters>
  readonly limit: number
}
/** Whether the row of this alias is one of the named ones. */
export const isOwn = (alias: string, { id }: OwnPage['filters']): Fragment =>
  same({ leaves: 'one', type: 'int8' }, 'id', id, { alias }).conditionIfGiven

type Bounds = Omit<TimeRange, 'column'>

/**
 * `name_after` (inclusive) and `name_before` (exclusive).
 * @param what describes the rows between them
 */
function between<N extends string>(
  name: N,
  what: string,
  ask: (bounds: Bounds) => Asked,
): Record<`${N}_after` | `${N}_before`, Filter> {
  const [after, before] = [`${name}_after`, `${name}_before`] as const
  return {
    [after]: {
      schema: explained(timestamp(), `${what} at or after this`),
      ask: (given: Given) => ask({ from: given[after], until: given[before] }),
    },
    [before]: { schema: explained(timestamp(), `${what} before this`), ask: () => ({}) },
  } as never
}

/** A filter by the time of creation. Ids rise with it. */
export const created = between('created', 'created', bounds => ({ created: bounds }))
/**
 * A filter by a time that ids do not follow. Rows without the time are not listed. `(tenant_id, week_of(column), id)` is indexed where it
 * is not null.
 */
export const dated = <N extends string>(name: N, column: string) =>
  between(name, `with ${/^[aeiou]/.test(column) ? 'an' : 'a'} \`${column}\``, bounds => ({
    dates: [{ column, ...bounds }],
  }))

/** A filter for callers who follow changes. It orders the list by `updated_at`, then id. `(tenant_id, updated_at, id)` is indexed. */
export const changes: { readonly updated_after: Filter } = {
  updated_after: {
    schema: explained(
      timestamp(),
      'changed at or after this; the list goes by `updated_at` then; with `order=desc` it is 400, since what changes while you page would be missed',
    ),
    ask: given => ({ updatedAfter: given['updated_after'] }),
  },
}

/**
 * Refuses `validation_failed` for the order `desc` with `updated_after`. A record that changes while a caller reads the pages moves to the
 * end of the list, so in this order the caller would miss it.
 */
export const refuseOrder = (filters: Given, order: Order): Refusal | null =>
  order === 'desc' && filters['updated_after'] !== undefined
    ? invalid('order', 'must not be desc with updated_after: records that change while you page would be missed')
    : null
