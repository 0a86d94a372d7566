/**
 * `doctor`: examines the service's surroundings and advises. lib/tools/doctor has each examination. An examination that fails is a finding,
 * and the others continue.
 */

import { MAIN } from '../../platform/cells.ts'
import { SharedSessions } from '../../platform/postgres/pooling.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import { keptSecretBox } from '../../platform/secret-box.ts'
import { NoAnswerInTime, within } from '../../platform/within.ts'
import { checkBackups } from '../doctor/backups.ts'
import { checkBooks } from '../doctor/books.ts'
import { checkCells, checkDirectory, checkIdentity } from '../doctor/cells.ts'
import { checkClockLeap, checkPostgresClock, checkRedisClocks, checkTenantTimes } from '../doctor/clocks.ts'
import { checkErasures } from '../doctor/erasures.ts'
import { type Finding, fault, fine, warning } from '../doctor/finding.ts'
import { checkChores, checkMigrations, checkPostgres, checkRetention } from '../doctor/postgres.ts'
import { checkDeliveries, checkExpiry, checkQueues } from '../doctor/queues.ts'
import { checkRedis } from '../doctor/redis.ts'
import { checkReplica } from '../doctor/replica.ts'
import { checkSecrets } from '../doctor/secrets.ts'
import { checkSettings, checkSharedSettings } from '../doctor/settings.ts'
import { checkWrites } from '../doctor/writes.ts'
import { listMoves, pausedForNone, watchedForNone } from '../moves/noted.ts'
import { type CliCommand, Refused, type World } from './command.ts'
import { explain } from './explain.ts'
import { wordsOf } from './moving.ts'
import { table } from './table.ts'

const EXAMINATION_MS_MAX = 10_000

const command: CliCommand = {
  words: ['doctor'],
  summary: 'Examine settings, Postgres, Redis, clocks, migrations and queues; exit 1 on a fault',
  options: {},
  examples: ['doctor', 'doctor --json'],
  run: async (_input, world) => {
    const findings = await examine(world)
    const ok = findings.every(({ status }) => status !== 'fault')
    return { json: { ok, checks: findings }, text: words(findings), exitCode: ok ? 0 : 1 }
  },
  jsonOfFault: ({ faults }) => ({
    ok: false,
    checks: faults.map(found =>
      fault('settings', found, 'set it right: no process starts with it, and nothing else was examined'),
    ),
  }),
}

/** All findings, in the order in which to repair them. */
async function examine(world: World): Promise<Finding[]> {
  const findings: Finding[] = []
  const isEmbedded = world.config.databaseUrl === undefined
  const advice = async (name: string): Promise<string> => {
    const isHere =
      (name === 'postgres' && isEmbedded) || (name === 'redis' && isEmbedded && world.config.redisUrl === undefined)
    if (!isHere) return adviceFor(name)
    return adviceHere[await world.here().catch(() => 'nothing' as const)]
  }
  const run = runInto(findings, advice)
  await run('settings', async () => checkSettings(world.config, isEmbedded))
  const pool = await opened(run, 'postgres', world.pool, checkPostgres)
  if (pool !== undefined) {
    await examineDatabase({ name: MAIN, pool }, world, findings, run)
    const isCurrent = findings.some(({ check, status }) => check === 'migrations' && status === 'ok')
    if (isCurrent && !isEmbedded) await run('settings', () => checkSharedSettings(pool, world.config))
    await examineCells(pool, world, findings)
  }
  const redis = await opened(run, 'redis', () => redisOf(world), checkRedis)
  if (redis !== undefined) {
    await run('clock of redis', () => checkRedisClocks(redis))
    await run('command queues', async () => [await checkQueues(redis, world.config.queueShards, world.now)])
  }
  return findings
}

type Run = (name: string, work: () => Promise<readonly Finding[]>) => Promise<boolean>

/** Runs examinations and collects their findings. One that fails adds a fault and returns false. */
const runInto =
  (findings: Finding[], adviceOf: (name: string) => string | Promise<string>): Run =>
  async (name, work) => {
    try {
      findings.push(...(await within(EXAMINATION_MS_MAX, work())))
      return true
    } catch (error) {
      const isShared = error instanceof SharedSessions
      findings.push(
        fault(name, isShared ? error.found : reasonOf(error), isShared ? error.advice : await adviceOf(name)),
      )
      return false
    }
  }

/** Opens a service and examines it. Undefined when it does not answer; then nothing more is asked. */
async function opened<T>(
  run: Run,
  name: string,
  open: () => Promise<T>,
  check: (service: T) => Promise<readonly Finding[]>,
): Promise<T | undefined> {
  let service: T | undefined
  const answers = await run(name, async () => {
    service = await open()
    return check(service)
  })
  return answers ? service : undefined
}

async function examineDatabase(
  { name, pool }: { readonly name: string; readonly pool: Pool },
  world: World,
  findings: Finding[],
  run: Run,
): Promise<void> {
  await run('postgres writes', async () => [await checkWrites(pool)])
  await run('clock of postgres', async () => [await checkPostgresClock(pool)])
  let isCurrent = false
  await run('migrations', async () => {
    const migrations = await checkMigrations(pool)
    isCurrent = migrations.isCurrent
    return [migrations.finding]
  })
  if (isCurrent) {
    await run('clock of postgres', () => checkClockLeap(pool))
    await run('times of tenants', () => checkTenantTimes(pool))
    await run('housekeeping', async () => [...(await checkChores(pool)), await checkRetention(pool)])
    const { config, dataFolder } = world
    await run('webhook secrets', async () => [await checkSecrets(pool, () => keptSecretBox({ ...config, dataFolder }))])
    await run('webhook deliveries', async () => [await checkDeliveries(pool, world.now)])
    await run('books', async () => [await checkBooks(pool)])
    await run('expired batches', async () => [await checkExpiry(pool)])
    await run('backup', async () => [await checkBackups(await world.pool(), { name, pool })])
  } else {
    findings.push(warning('housekeeping', 'not examined', 'migrate first'))
  }
}

/** Examines the directory, and each further cell like the main one. Its findings name the cell. */
async function examineCells(main: Pool, world: World, findings: Finding[]): Promise<void> {
  const { config } = world
  const runMain = runInto(findings, adviceFor)
  const names = config.cells.map(({ name }) => name)
  if (names.length > 0 || findings.some(({ check, status }) => check === 'migrations' && status === 'ok'))
    await runMain('cells', async () => [
      ...(await checkCells(main, names)),
      ...(await openMoves(main)),
      ...(await leftByMoves(main, { name: MAIN, pool: main })),
      ...(await checkErasures(main)),
    ])
  const { databaseReadUrl } = config
  if (databaseReadUrl !== undefined) await runMain('replica', () => checkReplica(databaseReadUrl))
  for (const { name, pool: open } of (await world.cells()).slice(1)) {
    const found: Finding[] = []
    const run = runInto(
      found,
      () => `check CELL_${name.toUpperCase()}_URL, that the server runs, and that its user may connect`,
    )
    const pool = await opened(run, 'postgres', open, checkPostgres)
    if (pool !== undefined) {
      await examineDatabase({ name, pool }, world, found, run)
      if (found.some(({ check, status }) => check === 'migrations' && status === 'ok'))
        await run('cell', () => checkIdentity(pool, name))
      if (found.every(({ check, status }) => !['cell', 'migrations'].includes(check) || status === 'ok'))
        await run('directory', async () => [
          ...(await checkDirectory(main, name, pool)),
          ...(await leftByMoves(main, { name, pool })),
          ...(await checkErasures(pool)),
        ])
    }
    const replica = config.cells.find(cell => cell.name === name)?.databaseReadUrl
    if (replica !== undefined) await run('replica', () => checkReplica(replica))
    findings.push(...found.map(finding => ({ ...finding, check: `cell ${name}: ${finding.check}` })))
  }
}

/** A move that broke off keeps its tenant's writes waiting until somebody continues it. */
const openMoves = async (main: Pool): Promise<Finding[]> =>
  (await listMoves(main)).map(move => {
    const { found, advice } = wordsOf(move)
    if (move.isUnderWay) return fine('moves', `${found} (under way)`)
    return move.arrivedSince === null ? fault('moves', found, advice) : warning('moves', found, advice)
  })

const leftByMoves = async (main: Pool, cell: { readonly name: string; readonly pool: Pool }): Promise<Finding[]> => [
  ...(await pausedForNone(main, cell)).map(({ tenantId }) =>
    fault(
      'moves',
      `tenant ${tenantId} is paused in ${cell.name} for a move that ${MAIN} has lost: its webhooks and writes may wait`,
      `bin/millrace tenant move --tenant ${tenantId} --cell ${cell.name} has it go on there, another --cell moves it. A worker process has it go on by itself within a minute; where it cannot, its log says why`,
    ),
  ),
  ...(await watchedForNone(main, cell)).map(tenantId =>
    warning(
      'moves',
      `triggers of tenant ${tenantId} (move_${tenantId}_new, move_${tenantId}_old) are left in ${cell.name}, where no move needs them`,
      'a worker process removes them once no other session holds the tables, such as a backup',
    ),
  ),
]

async function redisOf(world: World): Promise<Redis> {
  const redis = await world.redis()
  if (redis === null) throw new Refused('no address: set REDIS_URL, or start the service with npm start')
  return redis
}

const adviceHere = {
  nothing: 'nothing runs here: npm start (for a service elsewhere, set DATABASE_URL and REDIS_URL)',
  starting: 'npm start is just starting here: look again when it says that it is ready',
  running: 'npm start runs here, and starts again what died: its output says why',
} as const

function adviceFor(name: string): string {
  if (name === 'postgres') return 'check DATABASE_URL, that the server runs, and that its user may connect'
  if (name === 'redis') return 'check REDIS_URL, and that the server runs'
  if (name === 'replica') return 'check DATABASE_READ_URL; reads go to the primary meanwhile'
  return 'look again in a minute'
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerInTime) return `it gave no answer in ${EXAMINATION_MS_MAX / 1_000} s`
  return error instanceof Refused ? error.message : explain(error)
}

const marks = { ok: 'ok', warning: 'WARNING', fault: 'FAULT' } as const

function words(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => {
    const { length } = findings.filter(finding => finding.status === status)
    return `${length} ${status}${length === 1 ? '' : 's'}`
  }
  return `${findingsTable(findings)}\n\n${count('fault')}, ${count('warning')}`
}

/** The findings, then the advice. */
export function findingsTable(findings: readonly Finding[]): string {
  const advice = Map.groupBy(
    findings.filter(({ advice }) => advice !== undefined),
    ({ advice }) => advice,
  )
  return [
    table(
      ['CHECK', 'STATE', 'FOUND'],
      findings.map(({ check, status, found }) => [check, marks[status], found]),
    ),
    ...(advice.size > 0 ? ['', 'What to do:'] : []),
    ...[...advice].map(([what, about]) => `- ${about.map(({ check }) => check).join(', ')}: ${what}`),
  ].join('\n')
}

export const doctorCommands: readonly CliCommand[] = [command]
