/** Filters of lists by equality. */
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'

/** A filter by equality, and how many of a tenant's rows it leaves at most. */
export type Same = {
  readonly leaves: 'one' | 'few' | 'many'
  readonly column: string
  readonly isGiven: boolean
  /** The values, any of which a row may have, as an array. */
  readonly values: Fragment
  /** Of a filter that is given: the column is one of the values. */
  readonly condition: Fragment
  /** The same, and true where the filter is not given. */
  readonly conditionIfGiven: Fragment
}

const same =
  (leaves: Same['leaves'], type: 'text' | 'int8') =>
  (column: string, value: string | undefined): readonly Same[] => {
    const wanted = type === 'text' ? sql.fragment`${value ?? null}::text` : sql.fragment`${value ?? null}::bigint`
    const condition = sql.fragment`${sql.identifier(['r', column])} = ${wanted}`
    const conditionIfGiven = sql.fragment`case when ${wanted} is null then true else ${condition} end`
    const values = sql.fragment`array[${wanted}]`
    return [{ leaves, column, isGiven: value !== undefined, values, condition, conditionIfGiven }]
  }

/** By a text that is unique in the tenant; `(tenant_id, column)` is indexed. */
export const sameKey = same('one', 'text')
/** By what few rows share; `(tenant_id, column, id)` is indexed. */
export const sameFew = same('few', 'int8')
export const sameFewText = same('few', 'text')
/** By what any share of the rows may have in common. */
export const sameMany = same('many', 'int8')
export const sameManyText = same('many', 'text')

/** By some of a closed list of values. */
export const sameAnyText = (column: string, wanted: readonly string[] | undefined): readonly Same[] => {
  const values = wanted ? sql.fragment`${sql.array([...wanted], 'text')}` : sql.fragment`${null}::"text"[]`
  const condition = sql.fragment`${sql.identifier(['r', column])} = any (${values})`
  const conditionIfGiven = sql.fragment`case when ${values} is null then true else ${condition} end`
  return [{ leaves: 'many', column, isGiven: wanted !== undefined, values, condition, conditionIfGiven }]
}
