/**
 * `npm run mutants`: tries one small fault after another in a copy of the repository, and says which test noticed each. Exits with 1 if no
 * test noticed a fault, or a text to replace does not exist.
 *
 *     npm run mutants                   all
 *     npm run mutants -- NAME...        these
 *     npm run mutants -- --list         what each breaks, and which tests are to notice
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withoutSettings } from '../support/environment.ts'
import {
  SHARED_CLUSTER,
  SHARED_DATABASE_URL,
  SHARED_REDIS_URL,
  sharedCluster,
  startServers,
  temporaryFolder,
} from '../support/servers.ts'
import { copyOfTree, withFault } from './copy.ts'
import { faultsOf, type Mutant, testFilesOf } from './mutant.ts'
import { mutants } from './mutants.ts'
import { endTests, type Failure, firstFailure } from './tests.ts'

/** `by`: the test that noticed the mutant. `seconds`: how long the test files took with the fault. */
type Trial = { readonly mutant: Mutant; readonly seconds: number; readonly by: string | null }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT_SHOWN = 3_000
/** Test files that pass without a fault: a file that fails even then would seem to notice every fault. */
const fine = new Set<string>()

const { values: options, positionals: names } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = names.filter(name => !mutants.some(mutant => mutant.name === name))
if (unknown.length > 0) end(`No mutant is named ${unknown.join(', ')}: see npm run mutants -- --list`)
const chosen = names.length === 0 ? mutants : mutants.filter(({ name }) => names.includes(name))

const faults = faultsOf(ROOT, mutants)
if (options.list) for (const mutant of chosen) console.log(inWords(mutant))
if (faults.length > 0) end(faults.join('\n'))
if (!options.list) await tryAll()

function inWords({ name, breaks, file, tests, atLength }: Mutant): string {
  const where = atLength ? 'npm run torture' : 'npm test'
  return `${name}\n  ${breaks}\n  ${file}; noticed in ${where} by ${tests.map(test => `test/${test}`).join(', ')}`
}

function end(words: string): never {
  console.error(words)
  process.exit(1)
}

async function tryAll(): Promise<void> {
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isInterrupted = true
      endTests()
    })
  const folder = await temporaryFolder()
  const tree = join(folder, 'tree')
  copyOfTree(ROOT, tree)
  const cluster = await sharedCluster()
  const servers = await startServers(cluster)
  const environment = {
    ...withoutSettings(process.env),
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    [SHARED_DATABASE_URL]: servers.databaseUrl,
    [SHARED_REDIS_URL]: servers.redisUrl,
    ...(cluster === undefined ? {} : { [SHARED_CLUSTER]: cluster }),
  }
  const run = async (file: string) => {
    const failure = await firstFailure(tree, file, environment)
    if (isInterrupted) throw new Error('interrupted')
    return failure
  }
  const trials: Trial[] = []
  try {
    for (const [at, mutant] of chosen.entries()) {
      process.stdout.write(`${at + 1} of ${chosen.length}  ${mutant.name}: `)
      const trial = await tried(tree, mutant, run)
      console.log(`${trial.by ?? 'GOT AWAY'} (${trial.seconds.toFixed(1)} s)`)
      trials.push(trial)
    }
  } finally {
    await servers.stop()
  }
  report(trials)
}

type Run = (file: string) => Promise<Failure | undefined>

/** Runs the tests that are to notice the mutant, the likeliest file first, up to the first test that does. */
async function tried(tree: string, mutant: Mutant, run: Run): Promise<Trial> {
  let seconds = 0
  for (const file of testFilesOf(ROOT, mutant)) {
    await refuseFailing(file, run)
    const began = performance.now()
    const failure = await withFault(tree, mutant, () => run(file))
    seconds += (performance.now() - began) / 1_000
    if (failure === undefined) continue
    if (failure.test !== null) return { mutant, seconds, by: `${file}: ${failure.test}` }
    // The file did not load, or AVA stopped: that says nothing about its tests.
    console.error(`\n${file} failed without a failing test:\n${failure.output.slice(-OUTPUT_SHOWN)}`)
  }
  return { mutant, seconds, by: null }
}

async function refuseFailing(file: string, run: Run): Promise<void> {
  if (fine.has(file)) return
  const failure = await run(file)
  if (failure) throw new Error(`${file} fails without any fault:\n${failure.output.slice(-OUTPUT_SHOWN)}`)
  fine.add(file)
}

function report(trials: readonly Trial[]): void {
  const [caught, free] = [trials.filter(({ by }) => by !== null), trials.filter(({ by }) => by === null)]
  const nameLength = Math.max(...trials.map(({ mutant }) => mutant.name.length))
  const row = ({ mutant, by, seconds }: Trial) =>
    `${mutant.name.padEnd(nameLength)}  ${seconds.toFixed(1).padStart(7)}  ${by ?? mutant.breaks}`
  console.log(`\n${'mutant'.padEnd(nameLength)}  seconds  caught by`)
  for (const trial of caught) console.log(row(trial))
  if (free.length > 0) console.log('\nNoticed by no test:')
  for (const trial of free) console.log(row(trial))
  const seconds = trials.reduce((sum, trial) => sum + trial.seconds, 0)
  console.log(`\n${caught.length} of ${trials.length} were caught (${Math.round(seconds)} s)`)
  if (free.length > 0) process.exitCode = 1
}
