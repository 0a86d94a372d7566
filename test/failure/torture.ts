/**
 * `npm run torture -- --minutes 10`: all attacks in random order for as long as it is told, with a progress line, and a table
 * and the proof at its end; then the tests of generated requests and texts at length. Exit 1 when anything was lost, doubled or
 * out of balance, or failed. `--only NAME` chooses attacks, and nothing else.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { attacks } from './attacks.ts'
import { type Follower, startFollower } from './follower.ts'
import { type Load, startLoad } from './load.ts'
import { BEFORE_MS_MAX, moreAcknowledged, openRig, proofOf, type Rig } from './rig.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, only: { type: 'string', default: '' } },
})
const ends = Date.now() + Number(options.minutes) * 60_000
const chosen = attacks.filter(attack => attack.name.includes(options.only))

type Line = {
  strikes: number
  commands: number
  duplicates: number
  hangUps: number
  retries: number
  /** What a follower of the tenant was told, and how often it had to come again. */
  events: number
  streams: number
  slowestMs: number
  faults: string[]
}
const lines = new Map<string, Line>(
  chosen.map(({ name }) => [
    name,
    { strikes: 0, commands: 0, duplicates: 0, hangUps: 0, retries: 0, events: 0, streams: 0, slowestMs: 0, faults: [] },
  ]),
)

while (Date.now() < ends) {
  const attack = chosen[Math.floor(Math.random() * chosen.length)]
  const line = attack && lines.get(attack.name)
  if (!attack || !line) break
  let rig: Rig | undefined
  let load: Load | undefined
  let follower: Follower | undefined
  try {
    rig = await openRig(attack.rig)
    load = startLoad(rig)
    follower = await startFollower(rig)
    const until = Math.min(ends, Date.now() + 20_000)
    do {
      await moreAcknowledged(load, 100, 'work before the strike', BEFORE_MS_MAX)
      await attack.strike(rig)
      line.slowestMs = Math.max(line.slowestMs, await moreAcknowledged(load, 20, 'work after the strike'))
      line.strikes++
      progress(
        `${Math.max(0, Math.round((ends - Date.now()) / 1000))} s left: ${attack.name}, ${line.strikes} strikes, ${load.acknowledged.size} commands`,
      )
    } while (Date.now() < until)
    await load.stop()
    line.commands += load.acknowledged.size
    line.duplicates += load.figures.duplicates
    line.hangUps += load.figures.hangUps
    line.retries += load.figures.retries
    await follower.stop()
    line.events += follower.figures.events
    line.streams += follower.figures.streams
    line.faults.push(...(await proofOf(rig, load)), ...follower.faults)
  } catch (error) {
    line.faults.push((error as Error).message)
    // Both would go on for ever against a rig that is gone.
    load?.giveUp()
    follower?.giveUp()
  } finally {
    await rig?.close()
  }
}
progress('')
console.table(
  Object.fromEntries(
    [...lines].map(([name, { faults, slowestMs, ...line }]) => [
      name,
      { ...line, 'back within ms': Math.round(slowestMs), faults: faults.length },
    ]),
  ),
)
const faults = [...lines].flatMap(([name, line]) => line.faults.map(fault => `${name}: ${fault}`))
for (const fault of faults.slice(0, 40)) console.error(fault)
// What `npm test` makes up in short or leaves out (test/run.ts).
const names = [
  'contract/fuzz',
  'contract/spectral',
  'docs/docs-page',
  'documents/together',
  'failure/broken-ways',
  'api/linear-time',
  'api/http-time',
  'client/package',
  'operations/version1',
  'operations/upgrade',
  'cells/broken-off-anywhere',
  'pipeline/slow-tenants',
  'portal/*',
]
const atLength = names.map(name => `test/${name}.test.ts`)
const { status } = options.only
  ? { status: 0 }
  : spawnSync('node_modules/.bin/ava', atLength, {
      stdio: 'inherit',
      env: { ...process.env, FUZZ_REQUESTS: '10000', FUZZ_TEXTS: '20', TOGETHER_RUNS: '20' },
    })
process.exitCode = faults.length > 0 || status !== 0 ? 1 : 0

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}
