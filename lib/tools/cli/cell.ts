/**
 * `cell add`, `cell list`, `cell drain`, `cell remove` and `cell refresh`: the databases over which tenants are spread (docs/operations.md,
 * "Cells").
 */

import { addCell, identityOf, NotThisCell, setWeight } from '../../access/cells/add.ts'
import { compareCell, type Disagreement, forgetLost, takeInUnknown } from '../../access/cells/compare.ts'
import { listCells, nextCell } from '../../access/cells/directory.ts'
import { migrateCells } from '../../access/cells/migrate-cells.ts'
import { NotRemoved, removeCell } from '../../access/cells/remove.ts'
import { listTenants } from '../../access/tenants.ts'
import { MAIN } from '../../platform/cells.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import { type ListedMove, listMoves } from '../moves/noted.ts'
import { type CliCommand, type Input, Refused, UsageError, type World, type WorldCell } from './command.ts'
import { explain } from './explain.ts'
import { cellNamed } from './in-cells.ts'
import { clear, inSeconds, move, wordsOf } from './moving.ts'
import { bar } from './progress.ts'
import { table } from './table.ts'
import { optional, text, whole } from './values.ts'

const WEIGHT_MAX = 1_000_000

/** The cells and their weights, by the directory. */
const cellsOfDirectory = async (_input: Input, world: World) =>
  Object.fromEntries((await listCells(await world.pool())).map(({ name, weight }) => [name, weight]))

const add: CliCommand = {
  words: ['cell', 'add'],
  summary: 'Let tenants into a cell, or change its weight',
  argument: {
    name: 'NAME',
    help: 'east for CELL_EAST_URL, which all processes must have by then; main for DATABASE_URL',
  },
  options: {
    weight: { value: 'N', help: 'its share of new tenants beside the other cells; 0: none (default 1)' },
  },
  details: [
    'The schema of the address is made and filled where it is not there. Again, it goes on where it broke off.',
  ],
  changes: { state: cellsOfDirectory },
  examples: ['cell add east', 'cell add east --weight 3 --json', 'cell add main --weight 0'],
  run: async (input, world) => {
    const name = input.argument
    const weight = optional(input, 'weight', whole(0, WEIGHT_MAX)) ?? 1
    if (!/^[a-z][a-z0-9]*$/.test(name)) throw new UsageError('NAME: small letters and digits, as in CELL_<NAME>_URL')
    const cell = await cellNamed(world, name)
    await migrateCells([await cellNamed(world, MAIN), cell])
    try {
      const { number, wasThere } = await addCell(await world.pool(), { name, weight, pool: await cell.pool() })
      return {
        json: { name, number, weight, was_there: wasThere },
        text: `Cell ${name} (number ${number}) ${weight === 0 ? 'takes no new tenants' : `takes new tenants with the weight ${weight}`}.`,
      }
    } catch (error) {
      if (error instanceof NotThisCell) throw new Refused(error.message)
      throw error
    }
  },
}

const list: CliCommand = {
  words: ['cell', 'list'],
  summary: 'List the cells with their tenants, and whether each answers',
  options: {},
  examples: ['cell list', 'cell list --json'],
  run: async (_input, world) => {
    const listed = await listCells(await world.pool())
    const known = listed.length > 0 ? listed : [{ name: MAIN, number: 0, weight: 1, tenants: null }]
    const cells = await Promise.all(known.map(async cell => ({ ...cell, state: await stateOf(world, cell.name) })))
    const moves = await listMoves(await world.pool())
    const lines = cells.map(({ name, number, weight, tenants, state }) => [
      name,
      String(number),
      String(weight),
      tenants === null ? '' : String(tenants),
      state,
    ])
    const onTheWay = moves.map(move => {
      const { found, advice } = wordsOf(move)
      return move.isUnderWay ? `Under way: ${found}.` : `Broke off: ${found}. What to do: ${advice}.`
    })
    const text = [table(['CELL', 'NUMBER', 'WEIGHT', 'TENANTS', 'STATE'], lines), ...onTheWay].join('\n')
    return { json: { cells, moves: moves.map(shown) }, text }
  },
}

const shown = ({ tenantId, from, to, isSwitched, arrivedSince, isUnderWay }: ListedMove) => ({
  tenant_id: tenantId,
  from,
  to,
  is_under_way: isUnderWay,
  is_switched: isSwitched,
  has_arrived: arrivedSince !== null,
})

const refresh: CliCommand = {
  words: ['cell', 'refresh'],
  summary: 'Bring the directory of tenants and keys into line with what the cells hold',
  options: {},
  details: [
    'For after a restore (docs/operations.md): what a cell does not have any more is forgotten, what the directory does not know',
    'is taken in. Every cell must answer. No tenant should be made meanwhile.',
  ],
  changes: { state: cellsOfDirectory },
  examples: ['cell refresh', 'cell refresh --json'],
  run: async (_input, world) => {
    const main = await world.pool()
    const names = (await listCells(main)).map(({ name }) => name).filter(name => name !== MAIN)
    const unlisted = world.config.cells.find(({ name }) => !names.includes(name))
    if (unlisted)
      throw new Refused(`the directory has no cell ${unlisted.name}: bin/millrace cell add ${unlisted.name}`)
    const cells = await Promise.all(names.map(async name => ({ name, pool: await poolOfItself(world, name) })))
    const compared = async () => {
      const found: Disagreement[] = []
      for (const { name, pool } of cells) found.push(await compareCell(main, name, pool))
      return found
    }
    // Lost tenants are removed first: a tenant that one cell lost may live in another.
    const before = await compared()
    for (const found of before) await forgetLost(main, found)
    const after = await compared()
    for (const found of after) await takeInUnknown(main, found)
    const done = after.map(({ cell, unknown, twice }, at) => {
      const lost = before[at]?.lost
      return {
        cell,
        forgotten: { tenants: lost?.tenants ?? [], keys: lost?.keys.length ?? 0 },
        taken_in: { tenants: unknown.tenants, keys: unknown.keys.length },
        left_alone: twice.map(({ tenantId, cell }) => ({ tenant_id: tenantId, is_in: cell })),
      }
    })
    const lines = done.map(({ cell, forgotten, taken_in: takenIn, left_alone: leftAlone }) => [
      cell,
      `${forgotten.tenants.length} (${forgotten.keys} keys)`,
      `${takenIn.tenants.length} (${takenIn.keys} keys)`,
      leftAlone.map(({ tenant_id: id, is_in: other }) => `${id} is in ${other}, too`).join(', ') || null,
    ])
    return { json: { cells: done }, text: table(['CELL', 'FORGOTTEN', 'TAKEN IN', 'LEFT ALONE'], lines) }
  },
}

/** @throws Refused unless its address leads to it */
async function poolOfItself(world: World, name: string): Promise<Pool> {
  const pool = await (await cellNamed(world, name)).pool()
  const { cell } = await identityOf(pool)
  if (cell !== name) throw new Refused(`the address of ${name} leads to ${cell ?? 'no cell'}`)
  return pool
}

async function stateOf(world: World, name: string): Promise<string> {
  const cell = (await world.cells()).find(each => each.name === name)
  if (cell === undefined) return `no address: set CELL_${name.toUpperCase()}_URL`
  try {
    const { cell: found } = await identityOf(await cell.pool())
    return found === name || (found === null && name === MAIN) ? 'ok' : `its address leads to ${found ?? 'no cell'}`
  } catch (error) {
    return explain(error)
  }
}

const drain: CliCommand = {
  words: ['cell', 'drain'],
  summary: 'Move all tenants of a cell to the others, one after another',
  argument: { name: 'NAME', help: 'the cell to empty; it takes no new tenants from now on' },
  options: { to: { value: 'NAME', help: 'where they are to live (default: where tenants per weight are fewest)' } },
  details: ['Again, it goes on where it broke off. Of main the directory stays where it is.'],
  changes: { state: cellsOfDirectory },
  examples: ['cell drain east', 'cell drain west --to east --json'],
  run: async (input, world) => {
    const { argument: name } = input
    const to = optional(input, 'to', text)
    const main = await world.pool()
    if (to === name) throw new UsageError('--to: names the cell that is to be emptied')
    for (const of of to === undefined ? [name] : [name, to]) {
      await cellNamed(world, of)
      if ((await listCells(main)).every(cell => cell.name !== of)) throw new Refused(`there is no cell ${of}`)
    }
    await setWeight(main, { name, weight: 0 })
    const { moved, rows, pausedMs } = await empty(world, name, to)
    const paused = `the writes of none paused longer than ${inSeconds(pausedMs)}`
    const done = moved === 0 ? '' : `: ${moved} ${moved === 1 ? 'tenant' : 'tenants'} moved, ${rows} rows; ${paused}`
    return { json: { name, moved, rows, paused_ms_max: pausedMs }, text: `Cell ${name} is empty${done}.` }
  },
}

/** The rows that a move leaves in its source are removed later, so that the next tenant does not wait. */
async function empty(
  world: World,
  name: string,
  to: string | undefined,
): Promise<{ moved: number; rows: number; pausedMs: number }> {
  const main = await world.pool()
  const pool = await (await cellNamed(world, name)).pool()
  let [moved, rows, pausedMs] = [0, 0, 0]
  for (;;) {
    const open = (await listMoves(main)).filter(({ from }) => from === name)
    const going = new Map(open.filter(({ arrivedSince }) => arrivedSince === null).map(of => [of.tenantId, of.to]))
    const left = [...new Set([...going.keys(), ...(await listTenants(pool)).map(tenant => tenant.tenant_id)])]
    for (const [at, tenantId] of left.entries()) {
      const target = going.get(tenantId) ?? to ?? nextCell(await listCells(main))
      if (target === null) throw new Refused('every other cell has the weight 0: name one with --to')
      const show = (words: string) =>
        world.progress.show(bar(at, left.length, `${at} of ${left.length} tenants; ${words}`))
      const done = await move(world, { tenantId, to: target, isLater: true }, show)
      rows += done.rows
      pausedMs = Math.max(pausedMs, done.pausedMs ?? 0)
      moved++
    }
    for (const [at, { tenantId }] of (await listMoves(main)).filter(({ from }) => from === name).entries()) {
      world.progress.show(bar(at, moved, `what ${tenantId} left is removed`))
      await clear(world, tenantId)
    }
    if (left.length === 0) return { moved, rows, pausedMs }
  }
}

const remove: CliCommand = {
  words: ['cell', 'remove'],
  summary: 'Have the directory forget a cell where nobody lives any more',
  argument: { name: 'NAME', help: 'the empty cell (see cell drain)' },
  options: {},
  details: [
    'Its database is left as it is. Take its CELL_<NAME>_URL from all processes before or after. Its number is never given again;',
    'cell add with the same database has the cell back.',
  ],
  changes: { state: cellsOfDirectory },
  examples: ['cell remove east', 'cell remove east --json'],
  run: async (input, world) => {
    const { argument: name } = input
    const own = (await world.cells()).find(cell => cell.name === name)
    const pool = own && name !== MAIN ? await answering(own) : undefined
    try {
      const wasThere = await removeCell(await world.pool(), name, pool)
      const unasked =
        pool === undefined ? ' Its database was not asked: the directory alone says that nobody lives there.' : ''
      return {
        json: { name, was_there: wasThere, was_asked: pool !== undefined },
        text: wasThere ? `Cell ${name} is removed.${unasked}` : `Cell ${name} was removed before.`,
      }
    } catch (error) {
      if (error instanceof NotRemoved) throw new Refused(error.message)
      throw error
    }
  },
}

/** The cell's database. Undefined if it does not answer, or has no tables: then it is gone, or was made again. */
async function answering(cell: WorldCell): Promise<Pool | undefined> {
  try {
    const pool = await cell.pool()
    const found = await identityOf(pool)
    return found.cell === cell.name ? pool : undefined
  } catch {
    return undefined
  }
}

export const cellCommands: readonly CliCommand[] = [add, list, refresh, drain, remove]
