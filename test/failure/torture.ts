/**
 * `npm run torture`: attacks on real processes under load, then the test files that take long (parts.ts). HELP says how long it takes and
 * what it prints.
 */
import { parseArgs } from 'node:util'
import { randomSource } from '../../bench/grow/plan.ts'
import {
  SHARED_CLUSTER,
  SHARED_DATABASE_URL,
  SHARED_REDIS_URL,
  sharedCluster,
  startServers,
} from '../support/servers.ts'
import { attacks } from './attacks.ts'
import { type PartOutcome, parts, runParts, shownBy } from './parts.ts'
import { noStrikes, rowOf, type Strikes, strike } from './strikes.ts'

const HELP = `npm run torture -- [options]

The attacks in random order for as long as it is told, each on real processes under load, and then the test files
that take long. It ends with a table of the attacks and their faults, and a table of all that ran: seconds, passed
or failed. Exit 1 where anything was lost, doubled, mixed up or out of balance, or failed.

  --list           what there is, and what each shows
  --only NAME      that attack or file alone, else those whose names hold this
  --minutes N      for the attacks (default 2)
  --rounds N       the attacks one after another, each so many times, instead of minutes
  --tenants N      instead of the attack's own number
  --clients N      of each tenant
  --seed N         the order of the attacks, and that of the writes of each client
  --help           this text`

const options = optionsOf()
/** One rig is attacked again for this long. */
const RIG_MS = 20_000
/** How many faults and log lines are shown, and how many characters of each. */
const SHOWN_MAX = 40
const LENGTH_MAX = 4_000

const names = [...attacks.map(({ name }) => name), ...parts]
const isChosen = names.includes(options.only)
  ? (name: string) => name === options.only
  : (name: string) => name.includes(options.only)
if (!names.some(isChosen)) end(`Nothing is named ${options.only}: see npm run torture -- --list`)
const chosenParts = parts.filter(isChosen)
const chosen = attacks.filter(({ name }) => isChosen(name)).map(noStrikes)

/** What ran: its name, its seconds, and how many of its parts failed. */
type Row = { readonly name: string; readonly seconds: number; readonly failed: number; readonly of: string }

if (options.help) console.log(HELP)
else if (options.list) list()
else {
  const rows = [...(await runAttacks()), ...(await runFiles())]
  const length = Math.max(...rows.map(({ name }) => name.length))
  for (const { name, seconds, failed, of } of rows)
    console.log(
      `${name.padEnd(length)}  ${seconds.toFixed(1).padStart(7)} s  ${failed === 0 ? 'passed' : 'FAILED'} (${of})`,
    )
  const failed = rows.filter(row => row.failed > 0)
  console.log(`${rows.length - failed.length} passed, ${failed.length} failed`)
  if (failed.length > 0) process.exitCode = 1
}

function optionsOf() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        list: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '2' },
        only: { type: 'string', default: '' },
        rounds: { type: 'string' },
        tenants: { type: 'string' },
        clients: { type: 'string' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      },
    }).values
  } catch (error) {
    return end(`${(error as Error).message}: see npm run torture -- --help`)
  }
}

function end(text: string): never {
  console.error(text)
  process.exit(2)
}

function list(): void {
  const rows = [
    ...chosen.map(({ attack }) => [attack.name, attack.shows] as const),
    ...chosenParts.map(part => [part, shownBy(part)] as const),
  ]
  const length = Math.max(...rows.map(([name]) => name.length))
  for (const [name, shows] of rows) console.log(`${name.padEnd(length)}  ${shows}`)
}

async function runAttacks(): Promise<readonly Row[]> {
  if (chosen.length === 0) return []
  // Rigs start on copies of this server.
  const cluster = await sharedCluster()
  if (cluster !== undefined) process.env[SHARED_CLUSTER] = cluster
  const ends = Date.now() + Number(options.minutes) * 60_000
  const seed = Number(options.seed)
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  progress(`seed ${seed}`)
  let rigs = 0
  for (const strikes of order(ends, seed))
    await strike(strikes, {
      tenants: number(options.tenants),
      clients: number(options.clients),
      seed: seed + 1_000_000 * rigs++,
      until: Math.min(options.rounds ? 0 : ends, Date.now() + RIG_MS),
      onStrike: ({ attack, figures }, { figures: { acknowledged }, faults }) => {
        const left = options.rounds ? '' : `${Math.max(0, Math.round((ends - Date.now()) / 1000))} s left: `
        progress(`${left}${attack.name}, ${figures.strikes} strikes, ${acknowledged} writes, ${faults.length} faults`)
      },
    })
  progress('')
  const struck = chosen.filter(({ seconds }) => seconds > 0)
  console.table(Object.fromEntries(struck.map(strikes => [strikes.attack.name, rowOf(strikes)])))
  const faults = struck.flatMap(({ attack, faults }) => faults.map(({ text }) => `${attack.name}: ${text}`))
  const errors = struck.flatMap(({ attack, errors }) => errors.map(text => `${attack.name}: the log has ${text}`))
  for (const text of [...faults.slice(0, SHOWN_MAX), ...errors.slice(0, SHOWN_MAX)])
    console.error(`${text.slice(0, LENGTH_MAX)}\n`)
  console.log(faults.length === 0 ? 'Every acknowledged write is there once.' : `${faults.length} faults, seed ${seed}`)
  return struck.map(({ attack, seconds, faults, figures }) => ({
    name: attack.name,
    seconds,
    failed: faults.length,
    of: `${figures.strikes} strikes, ${faults.length} faults`,
  }))
}

/** The next attacks, each on a rig of its own. */
function* order(ends: number, seed: number): Generator<Strikes> {
  const rounds = Number(options.rounds ?? 0)
  for (let round = 0; round < rounds; round++) yield* chosen
  const random = randomSource(seed)
  while (rounds === 0 && Date.now() < ends) yield chosen[Math.floor(random() * chosen.length)] as Strikes
}

async function runFiles(): Promise<readonly Row[]> {
  if (chosenParts.length === 0) return []
  const cluster = await sharedCluster()
  const servers = await startServers(cluster)
  const rows: Row[] = []
  const onEnd = ({ part, seconds, passed, failed, output }: PartOutcome) => {
    if (failed > 0) console.error(output)
    progress(`${part}: ${failed === 0 ? 'passed' : 'FAILED'} in ${Math.round(seconds)} s`)
    rows.push({ name: part, seconds, failed, of: `${passed} of ${passed + failed} tests` })
  }
  try {
    const shared = { [SHARED_DATABASE_URL]: servers.databaseUrl, [SHARED_REDIS_URL]: servers.redisUrl }
    await runParts(chosenParts, { ...shared, ...(cluster === undefined ? {} : { [SHARED_CLUSTER]: cluster }) }, onEnd)
  } finally {
    await servers.stop()
  }
  return rows
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}
