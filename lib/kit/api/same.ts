/** Filters of lists by equality: the row has one of the given values. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'

export type Same = {
  /**
   * How many of a tenant's rows share one value at most. `one`: the value is unique in the tenant, `(tenant_id, column)` is indexed. `few`:
   * few rows share a value, `(tenant_id, column, id)` is indexed. `many`: any share of the rows may have the value.
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
  /** Where another table has the column: selects the `id`s of the rows with `wanted.value`, from an index in order of ids. */
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

/** The values as a PostgreSQL array; null where none are given. */
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
