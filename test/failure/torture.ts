/**
 * `npm run torture -- --minutes 10`: all attacks in random order for as long as it is told, with a progress line, and a table
 * and the faults at its end; then the tests of generated requests and texts at length (test/at-length.ts). Exit 1 when anything was lost, doubled,
 * mixed up or out of balance, or failed.
 *
 *     --only NAME      the attacks whose names hold this, and nothing else
 *     --rounds N       the attacks one after another, each so many times, instead of minutes
 *     --tenants N      where an attack has another number of its own
 *     --clients N      of each tenant
 *     --seed N         the order of the attacks, and that of the writes of each client
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { randomSource } from '../../bench/grow/plan.ts'
import { atLength } from '../at-length.ts'
import { attacks } from './attacks.ts'
import { type Follower, startFollower } from './follower.ts'
import { type Fault, type FaultKind, faultKinds, type Journal } from './journal.ts'
import { type Load, startLoad } from './load.ts'
import { prove } from './proof.ts'
import { moreAcknowledged, openRig, type Rig } from './rig.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    tenants: { type: 'string' },
    clients: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
/** One rig is struck again for so long. */
const RIG_MS = 20_000
/** Whoever waits for longer after a strike was not served. Told here alone: `npm test` may run on a machine with other work. */
const BACK_MS_MAX = 30_000
/** Faults, and log lines, that are shown, and how much of each. */
const SHOWN_MAX = 40
const LENGTH_MAX = 4_000

const ends = Date.now() + Number(options.minutes) * 60_000
const seed = Number(options.seed)
const chosen = attacks.filter(({ name }) => name.includes(options.only))
if (chosen.length === 0)
  throw new Error(`No attack is named ${options.only}: ${attacks.map(({ name }) => name).join(', ')}`)

const lines = chosen.map(attack => ({
  attack,
  figures: { strikes: 0, acknowledged: 0, refused: 0, open: 0, replayed: 0, dry: 0, events: 0 },
  slowestMs: 0,
  faults: [] as Fault[],
  /** Log lines of errors, where there are faults. */
  errors: [] as string[],
}))
type Line = (typeof lines)[number]

progress(`seed ${seed}`)
let rigs = 0
for (const line of order()) await run(line, seed + 1_000_000 * rigs++)
progress('')
console.table(Object.fromEntries(lines.map(line => [line.attack.name, rowOf(line)])))
const faults = lines.flatMap(line => line.faults.map(({ text }) => `${line.attack.name}: ${text}`))
const errors = lines.flatMap(line => line.errors.map(text => `${line.attack.name}: the log has ${text}`))
for (const text of [...faults.slice(0, SHOWN_MAX), ...errors.slice(0, SHOWN_MAX)])
  console.error(`${text.slice(0, LENGTH_MAX)}\n`)
console.log(faults.length === 0 ? 'Every acknowledged write is there once.' : `${faults.length} faults, seed ${seed}`)

// What `npm test` makes up in short, or leaves out.
const files = [
  'contract/fuzz',
  'documents/together',
  'scaling/skew',
  'stock/picked',
  'stock/picking-model',
  ...atLength,
].map(name => `test/${name}.test.ts`)
const { status } = options.only
  ? { status: 0 }
  : spawnSync('node_modules/.bin/ava', files, {
      stdio: 'inherit',
      env: {
        ...process.env,
        FUZZ_REQUESTS: '10000',
        FUZZ_TEXTS: '20',
        TOGETHER_RUNS: '20',
        PICK_RUNS: '100',
        SKEW_PAIRS: 'all',
      },
    })
process.exitCode = faults.length > 0 || status !== 0 ? 1 : 0

/** What is struck next, on a rig of its own. */
function* order(): Generator<Line> {
  const rounds = Number(options.rounds ?? 0)
  for (let round = 0; round < rounds; round++) yield* lines
  const random = randomSource(seed)
  while (rounds === 0 && Date.now() < ends) yield lines[Math.floor(random() * lines.length)] as Line
}

async function run(line: Line, seedOfLoad: number): Promise<void> {
  const { attack, figures } = line
  let rig: Rig | undefined
  let load: Load | undefined
  let follower: Follower | undefined
  try {
    rig = await openRig({ ...attack.rig, ...(options.tenants ? { tenants: Number(options.tenants) } : {}) })
    const clients = options.clients ? { clients: Number(options.clients) } : {}
    load = startLoad(rig, { ...attack.load, ...clients, seed: seedOfLoad })
    follower = await startFollower(rig)
    const until = Math.min(options.rounds ? Number.POSITIVE_INFINITY : ends, Date.now() + RIG_MS)
    do {
      await moreAcknowledged(rig, 100, 'work before the strike')
      await attack.strike(rig)
      const backMs = await moreAcknowledged(rig, 20, 'work after the strike')
      if (backMs > BACK_MS_MAX) rig.journal.fault('other', 'the service', `back after ${Math.round(backMs)} ms`)
      line.slowestMs = Math.max(line.slowestMs, backMs)
      figures.strikes++
      const left = options.rounds ? '' : `${Math.max(0, Math.round((ends - Date.now()) / 1000))} s left: `
      const { figures: now, faults } = rig.journal
      progress(`${left}${attack.name}, ${figures.strikes} strikes, ${now.acknowledged} writes, ${faults.length} faults`)
    } while (Date.now() < until)
    await load.stop()
    await follower.stop()
    await prove(rig, [rig.postgres.url])
  } catch (error) {
    rig?.journal.fault('other', 'the service', (error as Error).message)
    if (!rig) throw error
    // Both would go on for ever against a rig that is gone.
    load?.giveUp()
    follower?.giveUp()
  } finally {
    if (rig) note(line, rig.journal, rig.errors())
    figures.events += follower?.figures.events ?? 0
    await rig?.close()
  }
}

function note({ figures, ...line }: Line, journal: Journal, errors: readonly string[]): void {
  for (const name of ['acknowledged', 'refused', 'open', 'replayed', 'dry'] as const)
    figures[name] += journal.figures[name]
  line.faults.push(...journal.faults)
  if (journal.faults.length > 0) line.errors.push(...errors)
}

function rowOf({ figures, faults, slowestMs }: Line) {
  const count = (kind: FaultKind) => faults.filter(fault => fault.kind === kind).length
  return {
    ...figures,
    ...Object.fromEntries(faultKinds.map(kind => [kind, count(kind)])),
    'back within ms': Math.round(slowestMs),
  }
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}
