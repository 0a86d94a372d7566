/** Filters of lists by equality: the row has one of the given values. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'

export type Same = {
  /**
   * How many rows of a tenant may share one value. `one`: the value is unique, `(tenant_id, column)` is indexed. `few`: few rows,
   * `(tenant_id, column, id)` is indexed. `many`: any number of rows.
   */
  readonly leaves: 'one' | 'few' | 'many'
  readonly column: string
  readonly isGiven: boolean
  /** How many values are given. */
  readonly count: number
  /** The values as an array, each once. */
  readonly values: Fragment
  /** Whether the row `r` has one of the values. True where the filter is not given. */
  readonly conditionIfGiven: Fragment
  /** Selects the `id`s of the rows with `wanted.value`, where another table has the column, from an index in the order of ids. */
  readonly ids?: Fragment
}

export function same(
  { leaves, type }: { readonly leaves: Same['leaves']; readonly type: 'text' | 'int8' },
  column: string,
  wanted: readonly string[] | undefined,
  { alias = 'r' } = {},
): Same {
  return {
    ...{ leaves, column, isGiven: wanted !== undefined, count: wanted?.length ?? 0 },
    // Computed only when used: most pages use neither.
    get values() {
      return arrayOf(wanted, type)
    },
    get conditionIfGiven() {
      const { values } = this
      return sql.fragment`case when ${values} is null then true else ${sql.identifier([alias, column])} = any (${values}) end`
    },
  }
}

/** The values as a PostgreSQL array; null if none are given. */
export const arrayOf = (values: readonly string[] | undefined, type: 'text' | 'int8'): Fragment =>
  values ? sql.fragment`${sql.array([...values], type)}` : sql.fragment`${null}::${sql.identifier([type])}[]`

/**
 * The rows `r` that a subquery selects for each value. The subquery knows the value as `wanted.value`. PostgreSQL plans it for one value,
 * however many there are.
 */
export const ofEach = (values: Fragment, subquery: Fragment): Fragment =>
  sql.fragment`unnest(${values}) wanted (value) cross join lateral (${subquery}) r`

/** The condition on the row `r` in such a subquery. */
export const wantedIn = ({ column }: Pick<Same, 'column'>): Fragment =>
  sql.fragment`and ${sql.identifier(['r', column])} = wanted.value`
