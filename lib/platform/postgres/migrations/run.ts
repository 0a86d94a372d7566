/**
 * Runs one migration beside a version that serves: what can be done while requests go on apart from the rest, and the rest in short tries,
 * each of which gives way to sessions that hold its tables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { runOnNodes, statementsOf } from '../distribute.ts'
import { makeLater, noteLater, partsOf, runConcurrently } from './beside.ts'
import { holdersOf, LocksNotHad, old, sendAutovacuumAway, wordsOf } from './holders.ts'
import { gaveWay, type TableLock, tableLocks, takeLocks } from './locks.ts'
import type { Migration, MigrationRun } from './migration.ts'
import { isWithoutTransaction, linesOf, locksOf } from './work.ts'

const FIRST_PAUSE_MS = 250
const PAUSE_MS_MAX = 5_000

export async function runMigration(run: MigrationRun, migration: Migration): Promise<void> {
  const { name, text, checksum } = migration
  const record = () => run.client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  if (isWithoutTransaction(text)) {
    for (const statement of statementsOf(text)) await runAlone(run, name, statement)
    await inTries(run, name, '', async () => {
      await execute(run, '')
      await record()
    })
    return
  }
  const parts = run.onNodes === null ? await partsOf(run, text) : { ahead: [], text, later: [] }
  for (const statement of parts.ahead) await runConcurrently(run, name, statement)
  await inTries(run, name, parts.text, async () => {
    await execute(run, parts.text)
    await record()
    await noteLater(run, name, parts.later)
  })
  await makeLater(run)
}

async function runAlone(run: MigrationRun, name: string, statement: string): Promise<void> {
  if (/\bconcurrently\b|^vacuum\b/i.test(statement)) await runConcurrently(run, name, statement)
  else await inTries(run, name, statement, () => execute(run, statement))
}

async function execute({ client, onNodes }: MigrationRun, text: string): Promise<void> {
  if (onNodes === null) await client.query(text)
  else await runOnNodes(client, onNodes, text)
}

/**
 * One transaction, again and again until it has its locks.
 * @throws LocksNotHad
 */
async function inTries(run: MigrationRun, name: string, text: string, work: () => Promise<void>): Promise<void> {
  const { client, progress, patienceMs } = run
  const began = performance.now()
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++, pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    progress.show(tries === 1 ? name : `${name}: try ${tries}`)
    const locks = await tableLocks(client, linesOf(text).flatMap(locksOf))
    let holders = old(await holdersOf(client, locks))
    if (holders.length === 0) {
      if (await isDone(run, name, locks, work)) return
      holders = await holdersOf(client, locks)
    }
    if (performance.now() - began > patienceMs) throw new LocksNotHad(name, tries, holders)
    progress.show(`${name}: try ${tries} waits: ${wordsOf(holders)}`)
    await sendAutovacuumAway(client, holders)
    await sleep(pauseMs)
  }
}

/** Whether the transaction had its locks and is committed. Otherwise nothing of it is left. */
async function isDone(
  { client, onNodes }: MigrationRun,
  name: string,
  locks: readonly TableLock[],
  work: () => Promise<void>,
): Promise<boolean> {
  await client.query('begin')
  try {
    if (onNodes !== null) await client.query(`set local citus.propagate_set_commands = 'local'`)
    await takeLocks(client, onNodes === null ? locks : [])
    await work()
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (gaveWay(error)) return false
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}
