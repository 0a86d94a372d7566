/** Looks at whether PostgreSQL takes the writes of its user: disk space, read-only, and rights. It changes nothing. */
import * as v from 'valibot'
import { type Pool, rows } from '../../platform/postgres/postgres.ts'
import { type RefusedWrites, refusedWrites } from '../../platform/postgres/refused-writes.ts'
import { type Finding, fault, fine, warning } from './finding.ts'

const CHECK = 'postgres writes'
const NAMED_MAX = 5

const cannotWrite: Readonly<Record<RefusedWrites, Finding>> = {
  'disk full': fault(
    CHECK,
    'its disk is full: reads are served, writes are answered with 503',
    'make room on the volume of PostgreSQL, or enlarge it; all goes on by itself then. Delete nothing of its own files',
  ),
  'read-only': fault(
    CHECK,
    'it is read-only: reads are served, writes are answered with 503',
    'point the address at the primary; else look whether default_transaction_read_only is on',
  ),
}

const Rights = v.object({
  tables: v.array(v.string()),
  sequences: v.array(v.string()),
  periods: v.array(v.string()),
  owner: v.nullable(v.string()),
})

/** On Citus this checks the coordinator. */
export async function checkWrites(pool: Pool): Promise<Finding> {
  const refused = await refusedWrites(pool)
  if (refused !== undefined) return cannotWrite[refused]
  const { tables, sequences, periods, owner } = await pool.one(rows(Rights)`
    with ours as materialized (
      select relname::text as name, relkind, relowner::regrole::text as owner,
        -- A choice, since PostgreSQL tries conditions in any order, and the right to a table that is no sequence is an error.
        case
          when relkind = 'S' then has_sequence_privilege(oid, 'usage')
          when relispartition or relname = 'migrations' then true
          when relkind in ('r', 'p') then has_table_privilege(oid, 'insert')
            and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
          else true
        end as may_write,
        relkind <> 'p' or pg_has_role(relowner, 'usage') as may_divide
      from pg_class where relnamespace = (select relnamespace from pg_class where oid = to_regclass('migrations'))
    )
    select
      array(select name from ours where not may_write and relkind <> 'S' order by 1) as tables,
      array(select name from ours where not may_write and relkind = 'S' order by 1) as sequences,
      array(select name from ours where not may_divide order by 1) as periods,
      (select owner from ours where name = 'migrations') as owner`)
  if (tables.length + sequences.length > 0)
    return fault(
      CHECK,
      `its user may not write: ${[...named('tables', tables), ...named('sequences', sequences)].join('; ')}`,
      `grant insert, update, delete on tables and usage on sequences to its user, or connect as their owner (${owner})`,
    )
  if (periods.length > 0)
    return warning(
      CHECK,
      `its user may not make and drop periods of ${shortened(periods)}`,
      `let worker and webhook processes connect as the owner (${owner}), or grant that role to their user`,
    )
  return fine(CHECK, 'it can write')
}

const named = (kind: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${kind} ${shortened(names)}`]

function shortened(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  return `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
