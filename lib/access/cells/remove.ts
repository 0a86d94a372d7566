/**
 * Removes a cell from the directory when no tenant lives there. Its database is not changed. Its number is never used again, because ids
 * with that number exist in other cells.
 */
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { type Connection, type Pool, rows } from '../../platform/postgres/postgres.ts'

/** Why a cell cannot be removed. */
export class NotRemoved extends Error {
  override name = 'NotRemoved'
}

/**
 * @param pool the cell's own, if its database answers: tenants that the directory lacks count too
 * @returns whether the cell was in the directory
 * @throws NotRemoved while tenants live there, or a move from or to it is open
 */
export async function removeCell(main: Pool, name: string, pool: Connection | undefined): Promise<boolean> {
  if (name === MAIN) throw new NotRemoved(`${MAIN} holds the directory and stays`)
  const living = pool && (await tenantsIn(pool))
  return main.transaction(async connection => {
    // A transaction that moves or makes a tenant there refers to this row, and so waits for this one.
    const there = await connection.maybeOne(
      rows(v.object({ number: v.number() }))`select number::int as number from cells where name = ${name} for update`,
    )
    if (there === null) return refuseUnknown(connection, name)
    await refuseInUse(connection, name, living ?? 0)
    await connection.one(rows(v.object({ number: v.number() }))`
      with gone as (
        delete from cells where name = ${name} returning number, name
      )
      insert into removed_cells (number, name, removed_at) select number, name, now() from gone
      returning number::int as number`)
    return true
  })
}

/** Removing a removed cell again is no fault. */
async function refuseUnknown(main: Connection, name: string): Promise<false> {
  const Row = v.object({ is_removed: v.boolean() })
  const { is_removed } = await main.one(rows(Row)`
    select exists (select from removed_cells where name = ${name}) as is_removed`)
  if (!is_removed) throw new NotRemoved(`there is no cell ${name}`)
  return false
}

async function tenantsIn(pool: Connection): Promise<number> {
  const { tenants } = await pool.one(rows(v.object({ tenants: v.number() }))`
    select count(*)::int as tenants from tenant_streams`)
  return tenants
}

/** @param living how many tenants the cell itself has */
async function refuseInUse(main: Connection, name: string, living: number): Promise<void> {
  const { moves, tenants } = await main.one(rows(v.object({ moves: v.number(), tenants: v.number() }))`
    select (select count(*)::int from tenant_moves where from_cell = ${name} or to_cell = ${name}) as moves,
      (select count(*)::int from cell_tenants where cell = ${name}) as tenants`)
  if (moves > 0)
    throw new NotRemoved(`${counted(moves, 'move')} from or to ${name} open: bin/millrace cell list names them`)
  if (tenants > 0)
    throw new NotRemoved(`${counted(tenants, 'tenant')} living in ${name}: bin/millrace cell drain ${name}`)
  if (living > 0)
    throw new NotRemoved(
      `${counted(living, 'tenant')} in the database of ${name} that the directory does not know: bin/millrace cell refresh, then cell drain ${name}`,
    )
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`)
