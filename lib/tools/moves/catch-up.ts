/**
 * Copies what has changed in the source since the last snapshot to the target: the rows that triggers have noted (watch.ts), as they are in
 * one snapshot now. The order of changes then does not matter, except where rows of the target conflict with each other.
 */
import type pg from 'pg'
import { copyRows } from './copy.ts'
import type { TenantTable } from './tables.ts'
import type { Ends } from './target.ts'

/** Errors of a foreign key and of a unique value: another row must come or go first. */
const IN_THE_WAY = new Set(['23503', '23505'])

/** The rows cannot be written in any order: all rows must be copied again. */
export class InTheWay extends Error {
  override name = 'InTheWay'
}

/** Runs within a transaction of each side, the source's with one snapshot. @returns how many rows changed */
export async function bringChanges(
  ends: Ends,
  {
    tenantId,
    tables,
    onRows,
  }: {
    readonly tenantId: string
    readonly tables: readonly TenantTable[]
    readonly onRows: (rows: number) => void
  },
): Promise<number> {
  const { source, target } = ends
  // Row by row by their keys: the planner has no statistics of notes that were just written.
  for (const client of [source, target])
    await client.query(
      'set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off',
    )
  const { rows } = await source.query<{ name: string }>(
    'select distinct of_table as name from tenant_changes where tenant_id = $1',
    [tenantId],
  )
  const changed = tables.filter(({ name }) => rows.some(row => row.name === name))
  const staged: Part[] = []
  for (const table of changed) {
    const last = await stage(ends, table, tenantId)
    staged.push({ tenantId, table, first: 1, last })
    onRows(last)
  }
  // Children are removed first and inserted last.
  await writeAll(target, [
    ...staged.toReversed().map(part => ({ ...part, does: removal })),
    ...staged.map(part => ({ ...part, does: insertion })),
  ])
  return staged.reduce((sum, { last }) => sum + last, 0)
}

/** Removes the notes that a snapshot of the source contained. */
export async function forgetChanges(source: pg.Client, tenantId: string, snapshot: string): Promise<void> {
  await source.query(
    'delete from tenant_changes where tenant_id = $1 and pg_visible_in_snapshot(changed_by, $2::pg_snapshot)',
    [tenantId, snapshot],
  )
}

const keyOf = ({ key }: TenantTable) => (key ?? []).map((column, at) => ({ ...column, noted: `noted_key_${at + 1}` }))
const stageOf = ({ name }: TenantTable) => `incoming_${name}`

/** Copies the noted rows into a temporary table of the target. Of a removed row only the key. @returns how many */
async function stage({ source, target }: Ends, table: TenantTable, tenantId: string): Promise<number> {
  const { name, columns } = table
  const key = keyOf(table)
  await target.query(
    `create temp table if not exists ${stageOf(table)} on commit delete rows as
     select 0::bigint as noted_place, false as noted_is_there, ${[...key.map(each => `${each.name} as ${each.noted}`), ...columns].join(', ')}
     from ${name} with no data`,
  )
  const noted = ['tenant_id', ...key.map((each, at) => `key[${at + 1}]::${each.type} as ${each.noted}`)]
  const select = ['row_number() over ()', 'r.tenant_id is not null', ...key.map(each => `n.${each.noted}`)]
  return copyRows(
    {
      client: source,
      select: `
        select ${[...select, ...columns.map(column => `r.${column}`)].join(', ')}
        from (select distinct ${noted.join(', ')} from tenant_changes where tenant_id = ${tenantId} and of_table = '${name}') n
        left join ${name} r on ${['r.tenant_id = n.tenant_id', ...key.map(each => `r.${each.name} = n.${each.noted}`)].join(' and ')}`,
    },
    { client: target, into: stageOf(table) },
  )
}

/** Staged rows of a table, by their places from 1 on. */
type Part = {
  readonly tenantId: string
  readonly table: TenantTable
  readonly first: number
  readonly last: number
}
type Change = Part & { readonly does: (part: Part) => string }

const withinPart = ({ first, last }: Part) => `i.noted_place between ${first} and ${last}`

/** In a table without a key of its own every noted row is removed, and inserted again if it exists. */
const removal = (part: Part): string => {
  const { table, tenantId } = part
  const same = keyOf(table).map(({ name, noted }) => ` and t.${name} = i.${noted}`)
  const gone = table.isKeyOfParts ? '' : ' and not i.noted_is_there'
  return `delete from ${table.name} t using ${stageOf(table)} i where t.tenant_id = ${tenantId}${same.join('')} and ${withinPart(part)}${gone}`
}

const insertion = (part: Part): string => {
  const { name, columns, isKeyOfParts, isAppendOnly } = part.table
  const key = ['tenant_id', ...keyOf(part.table).map(column => column.name)]
  const others = isAppendOnly ? [] : columns.filter(column => !key.includes(column))
  const done =
    others.length === 0 ? 'nothing' : `update set ${others.map(column => `${column} = excluded.${column}`).join(', ')}`
  return `insert into ${name} (${columns.join(', ')})
    select ${columns.map(column => `i.${column}`).join(', ')} from ${stageOf(part.table)} i
    where i.noted_is_there and ${withinPart(part)}
    ${isKeyOfParts ? '' : `on conflict (${key.join(', ')}) do ${done}`}`
}

/**
 * Changes that conflict with others are tried again after the others, in halves: two rows may have exchanged a unique value with a third
 * one, and a line may have left an order that is gone.
 * @throws InTheWay where nothing helps: two rows have exchanged a unique value
 */
async function writeAll(target: pg.Client, changes: readonly Change[]): Promise<void> {
  for (let left = changes; left.length > 0; ) {
    const failed: Change[] = []
    for (const change of left) if (!(await isWritten(target, change))) failed.push(change)
    if (failed.length === left.length && failed.every(({ first, last }) => first === last))
      throw new InTheWay(`rows of ${[...new Set(failed.map(({ table }) => table.name))].join(', ')} exchanged values`)
    left = failed.flatMap(halves)
  }
}

function halves(change: Change): Change[] {
  const { first, last } = change
  if (first === last) return [change]
  const middle = Math.floor((first + last) / 2)
  return [
    { ...change, last: middle },
    { ...change, first: middle + 1 },
  ]
}

async function isWritten(target: pg.Client, change: Change): Promise<boolean> {
  try {
    await target.query(`savepoint change; ${change.does(change)}; release savepoint change`)
    return true
  } catch (error) {
    if (!IN_THE_WAY.has(String((error as { code?: unknown }).code))) throw error
    await target.query('rollback to savepoint change; release savepoint change')
    return false
  }
}
