/**
 * A process of the bench: runs recorded chains bare, each lane with a connection and a tenant of its own, so that no lock slows
 * it. Prints its figures as JSON; a chain that does not do what the recorded one did is an error.
 */
import { readFile } from 'node:fs/promises'
import { closedLoops } from './measure.ts'
import { connect, type Recording } from './recording.ts'
import { replayOf } from './replay.ts'

export type BareTask = {
  readonly databaseUrl: string
  /** By lane; where there are many they take turns. */
  readonly recordings: readonly (readonly Recording[])[]
  readonly ms: number
  /** Of the rounds, which no two tasks may share. */
  readonly first: number
}

const WARM_MS = 500

const task = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as BareTask
const lanes = await Promise.all(
  task.recordings.map(async recordings => ({
    client: await connect(task.databaseUrl),
    chains: recordings.map(recording => ({ run: replayOf(recording), writes: recording.length })),
  })),
)
let round = task.first
let writes = 0
const run = (ms: number, { isWatched }: { readonly isWatched: boolean }) =>
  closedLoops(lanes.length, { ms }, async number => {
    const lane = lanes[number]
    const at = round++
    const chain = lane?.chains[at % lane.chains.length]
    if (!lane || !chain || !(await chain.run(lane.client, at, isWatched))) return false
    writes += chain.writes
    return true
  })
// Statements are planned at their first run.
const { errors } = await run(WARM_MS, { isWatched: true })
writes = 0
const figures = await run(task.ms, { isWatched: false })
await Promise.all(lanes.map(({ client }) => client.end()))
process.stdout.write(`${JSON.stringify({ ...figures, errors: errors + figures.errors, writes, latencies: [] })}\n`)
