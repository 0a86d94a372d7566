/**
 * The directory in the main cell's database: the cells, the cell of each tenant, and the tenant of each token. It names the cell to ask.
 * Only that cell knows what a tenant or key may do.
 */
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { type Connection, rows, sql, statement, type WritingConnection } from '../../platform/postgres/postgres.ts'

const ListedCell = v.object({ name: v.string(), number: v.number(), weight: v.number(), tenants: v.number() })
export type ListedCell = v.InferOutput<typeof ListedCell>

/** All cells with their tenants, the main one first. Empty where no further cell was ever added. */
export async function listCells(main: Connection): Promise<readonly ListedCell[]> {
  return main.any(rows(ListedCell)`
    select c.name, c.number::int as number, c.weight, (
      case when c.number = 0 then (select count(*) from tenant_streams)
        else (select count(*) from cell_tenants t where t.cell = c.name) end
    )::int as tenants
    from cells c order by c.number`)
}

/** The cell for the next tenant: the one with the fewest tenants per weight. Null: every cell has the weight 0. */
export function nextCell(cells: readonly ListedCell[]): string | null {
  if (cells.length === 0) return MAIN
  const open = cells.filter(({ weight }) => weight > 0)
  const load = ({ tenants, weight }: ListedCell) => (tenants + 1) / weight
  return open.reduce<ListedCell | null>((a, b) => (a === null || load(b) < load(a) ? b : a), null)?.name ?? null
}

/** The cell of a tenant that is, or was, outside the main cell. Null: the tenant is in the main cell, or does not exist. */
export async function cellOfTenant(main: Connection, tenantId: string): Promise<string | null> {
  return (await placeOfTenant(main, tenantId)).cell
}

/** Where a tenant lives, as in `cellOfTenant`. During a move the tenant may be in neither cell for a moment. */
export type Place<Cell = string> = { readonly cell: Cell; readonly isMoving: boolean }

export async function placeOfTenant(main: Connection, tenantId: string): Promise<Place<string | null>> {
  return main.one(rows(v.object({ cell: v.nullable(v.string()), isMoving: v.boolean() }))`
    select (select cell from cell_tenants where tenant_id = ${tenantId}::bigint) as cell,
      coalesce((select true from tenant_moves where tenant_id = ${tenantId}::bigint), false) as "isMoving"`)
}

/** Where the tenants of these tokens (hashes in hex) live, by hash. Tenants that never left the main cell are left out. */
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

/** Notes the cell of a tenant before the tenant is made there. If the tenant is then not made, the note does no harm. */
export async function noteTenant(main: WritingConnection, tenantId: string, cell: string): Promise<void> {
  await main.query(statement`insert into cell_tenants (tenant_id, cell) values (${tenantId}::bigint, ${cell})`)
}

/** Notes the tenant of a token before its key is made. */
export async function noteKey(main: WritingConnection, tokenHash: string, tenantId: string): Promise<void> {
  await main.query(statement`
    insert into cell_keys (token_hash, tenant_id) values (decode(${tokenHash}, 'hex'), ${tenantId}::bigint)`)
}
