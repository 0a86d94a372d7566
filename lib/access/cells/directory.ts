/**
 * The directory in the main cell's database: which cells there are, where a tenant lives, and whose a token is. It says where to
 * ask; what a tenant or a key may do only its own cell knows.
 */
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { type Connection, rows, sql, statement, type WritingConnection } from '../../platform/postgres/postgres.ts'

const ListedCell = v.object({ name: v.string(), number: v.number(), weight: v.number(), tenants: v.number() })
export type ListedCell = v.InferOutput<typeof ListedCell>

/** All cells with the tenants that live there, the main one first; empty where no further one was ever added. */
export async function listCells(main: Connection): Promise<readonly ListedCell[]> {
  return main.any(rows(ListedCell)`
    select c.name, c.number::int as number, c.weight, (
      case when c.number = 0 then (select count(*) from tenant_streams)
        else (select count(*) from cell_tenants t where t.cell = c.name) end
    )::int as tenants
    from cells c order by c.number`)
}

/** Where the next tenant goes: the fewest tenants per weight. Null: every cell has the weight 0. */
export function nextCell(cells: readonly ListedCell[]): string | null {
  if (cells.length === 0) return MAIN
  const open = cells.filter(({ weight }) => weight > 0)
  const load = ({ tenants, weight }: ListedCell) => (tenants + 1) / weight
  return open.reduce<ListedCell | null>((a, b) => (a === null || load(b) < load(a) ? b : a), null)?.name ?? null
}

/** Where a tenant lives that is not in the main cell, or has not always been; null: in the main cell, if anywhere. */
export async function cellOfTenant(main: Connection, tenantId: string): Promise<string | null> {
  return (await placeOfTenant(main, tenantId)).cell
}

/** Where a tenant lives as of `cellOfTenant`. While it moves it may be in neither cell for a moment. */
export type Place<Cell = string> = { readonly cell: Cell; readonly isMoving: boolean }

export async function placeOfTenant(main: Connection, tenantId: string): Promise<Place<string | null>> {
  return main.one(rows(v.object({ cell: v.nullable(v.string()), isMoving: v.boolean() }))`
    select (select cell from cell_tenants where tenant_id = ${tenantId}::bigint) as cell,
      coalesce((select true from tenant_moves where tenant_id = ${tenantId}::bigint), false) as "isMoving"`)
}

/** Where the tenants of these tokens (hashes in hex) live, by hash; without those that have always been in the main cell. */
export async function cellsOfKeys(main: Connection, tokenHashes: readonly string[]): Promise<Map<string, Place>> {
  const Row = v.object({ token_hash: v.string(), cell: v.string(), isMoving: v.boolean() })
  const found = await main.any(rows(Row)`
    select wanted.token_hash, t.cell,
      coalesce((select true from tenant_moves where tenant_id = t.tenant_id), false) as "isMoving"
    from unnest(${sql.array([...tokenHashes], 'text')}) as wanted (token_hash)
    cross join lateral (
      select tenant_id from cell_keys where token_hash = decode(wanted.token_hash, 'hex') limit 1
    ) k
    cross join lateral (select tenant_id, cell from cell_tenants where tenant_id = k.tenant_id limit 1) t`)
  return new Map(found.map(({ token_hash, ...place }) => [token_hash, place]))
}

/** Notes where a tenant is to live, before it is made there: what breaks off in between leaves a note that harms nobody. */
export async function noteTenant(main: WritingConnection, tenantId: string, cell: string): Promise<void> {
  await main.query(statement`insert into cell_tenants (tenant_id, cell) values (${tenantId}::bigint, ${cell})`)
}

/** Notes whose a token is, before its key is made. */
export async function noteKey(main: WritingConnection, tokenHash: string, tenantId: string): Promise<void> {
  await main.query(statement`
    insert into cell_keys (token_hash, tenant_id) values (decode(${tokenHash}, 'hex'), ${tenantId}::bigint)`)
}
