/**
 * Adds a cell: gives it a number, makes its ids count in the steps of that number, and lets new tenants in. A repeated call continues after
 * an interruption, or changes the weight.
 */
import * as v from 'valibot'
import { MAIN } from '../../platform/cells.ts'
import { type Pool, rows, statement, type WritingConnection } from '../../platform/postgres/postgres.ts'

/** The lock lets one process at a time add cells. */
const ADVISORY_LOCK = 7_236_115
const NUMBER_MAX = 1023

/** Why a schema cannot become this cell. */
export class NotThisCell extends Error {
  override name = 'NotThisCell'
}

export type NewCell = { readonly name: string; readonly weight: number }

/**
 * Adds the cell. Both schemas must be of this version. `pool` is the cell's own.
 * @returns its number, and whether it existed before
 */
export async function addCell(
  main: Pool,
  { name, weight, pool }: NewCell & { readonly pool: Pool },
): Promise<{ readonly number: number; readonly wasThere: boolean }> {
  const found = await identityOf(pool)
  if (name !== MAIN) refuseOther(name, found)
  // The weight is set last: a cell without a weight gets no tenants.
  const { number, wasThere } = await main.transaction(connection => numbered(connection, name, found.number))
  if (name !== MAIN && found.cell === null)
    await pool.transaction(async connection => {
      await connection.query(statement`insert into cells (name, number, weight) values (${name}, ${number}, 1)`)
      await connection.query(statement`select step_ids(${number}::integer)`)
    })
  await setWeight(main, { name, weight })
  return { number, wasThere }
}

/** The share of new tenants that the cell takes, compared with the others; 0: none. */
export async function setWeight(main: Pool, { name, weight }: NewCell): Promise<void> {
  await main.query(statement`update cells set weight = ${weight} where name = ${name}`)
}

/** The cell that the schema belongs to (null: none yet), and whether tenants live there. */
export type Identity = { readonly cell: string | null; readonly number: number | null; readonly hasTenants: boolean }

export async function identityOf(pool: Pool): Promise<Identity> {
  const Row = v.object({ cell: v.nullable(v.string()), number: v.nullable(v.number()), has_tenants: v.boolean() })
  const { cell, number, has_tenants } = await pool.one(rows(Row)`
    select (select name from cells order by number limit 1) as cell,
      (select number::int from cells order by number limit 1) as number, exists (select from tenants) as has_tenants`)
  return { cell, number, hasTenants: has_tenants }
}

/** @throws NotThisCell */
function refuseOther(name: string, found: Identity): void {
  if (found.cell !== null && found.cell !== name)
    throw new NotThisCell(`the address of ${name} leads to the cell ${found.cell}`)
  if (found.cell === null && found.hasTenants)
    throw new NotThisCell(`the schema of ${name} has tenants already, whose ids other cells may have given too`)
}

/** @param own the number of a cell that was added before; a restored main cell may have lost it */
async function numbered(
  main: WritingConnection,
  name: string,
  own: number | null,
): Promise<{ number: number; wasThere: boolean }> {
  await main.query(statement`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
  const Row = v.object({ name: v.string(), number: v.number() })
  const cells = await main.any(rows(Row)`select name, number::int as number from cells order by number`)
  if (cells.length === 0) {
    await main.query(statement`insert into cells (name, number, weight) values (${MAIN}, 0, 1)`)
    await main.query(statement`select step_ids(0)`)
  }
  const known = name === MAIN ? { number: 0 } : cells.find(cell => cell.name === name)
  if (known) return { number: known.number, wasThere: cells.length > 0 }
  const removed = await main.any(rows(Row)`select name, number::int as number from removed_cells`)
  const number = own ?? Math.max(0, ...[...cells, ...removed].map(cell => cell.number)) + 1
  const other = cells.find(cell => cell.number === number) ?? removed.find(cell => cell.number === number)
  if (other && other.name !== name)
    throw new NotThisCell(`${other.name} has the number ${number}, in whose steps ${name} gave out ids`)
  if (number > NUMBER_MAX) throw new NotThisCell(`there are ${NUMBER_MAX + 1} cells already`)
  // A removed cell that is added again gets its old number.
  await main.query(statement`delete from removed_cells where number = ${number}`)
  await main.query(statement`insert into cells (name, number, weight) values (${name}, ${number}, 0)`)
  return { number, wasThere: false }
}
