/** The cells of a move: their addresses, connections, and whether they are fit for it. */
import type pg from 'pg'
import { identityOf } from '../../access/cells/add.ts'
import { listCells } from '../../access/cells/directory.ts'
import { MAIN } from '../../platform/cells.ts'
import { openClient } from '../../platform/postgres/client.ts'
import { listMigrations } from '../../platform/postgres/migrate.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import { PRESENCE } from './tables.ts'

/** Why a tenant cannot be moved. */
export class NotMoved extends Error {
  override name = 'NotMoved'
}

export type MovingCell = { readonly name: string; readonly databaseUrl: string; readonly pool: () => Promise<Pool> }

/** All cells with an address, the main one first. */
export type MovingCells = { readonly cells: readonly MovingCell[] }

export function cellNamed({ cells }: MovingCells, name: string): MovingCell {
  const cell = cells.find(each => each.name === name)
  if (cell === undefined) throw new NotMoved(`no address of the cell ${name} is set: CELL_${name.toUpperCase()}_URL`)
  return cell
}

/** A session in a cell, for the duration of the work. */
export async function connected<T>({ databaseUrl }: MovingCell, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { client, end } = await openClient(databaseUrl, { fallback_application_name: 'millrace move' })
  try {
    return await work(client)
  } finally {
    await end()
  }
}

/** @throws NotMoved */
export async function refuseUnfit(names: readonly string[], options: MovingCells): Promise<void> {
  const known = await listCells(await cellNamed(options, MAIN).pool())
  const all = await listMigrations()
  for (const name of names) {
    if (!known.some(cell => cell.name === name)) throw new NotMoved(`there is no cell ${name}: bin/millrace cell list`)
    await connected(cellNamed(options, name), async client => {
      const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
      if (rows.map(row => row.name).join() !== all.map(each => each.name).join())
        throw new NotMoved(`the cell ${name} is not of this version: bin/millrace migrate`)
    })
    const { cell } = await identityOf(await cellNamed(options, name).pool())
    if (cell !== name) throw new NotMoved(`the address of ${name} leads to ${cell ?? 'no cell'}`)
  }
}

export async function livesIn(client: pg.Client, tenantId: string): Promise<boolean> {
  return (await client.query(`select from ${PRESENCE} where tenant_id = $1`, [tenantId])).rowCount === 1
}

/** A transaction later than everything that is committed. */
export async function transactionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? '0'
}

export async function numberOf(main: Pool, name: string): Promise<number> {
  return (await listCells(main)).find(cell => cell.name === name)?.number ?? 0
}
