/**
 * A process of the bench: runs recorded chains bare, 8 `pg` connections in one Node process, each on a tenant of its own, so
 * that no lock slows it. Prints its figures as JSON.
 */
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { closedLoops } from './measure.ts'
import { freshValues, type Recording } from './recording.ts'

type Task = {
  readonly databaseUrl: string
  readonly recordings: readonly Recording[]
  readonly ms: number
  readonly first: number
}

const task = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Task
const clients = await Promise.all(
  task.recordings.map(async () => {
    // As the service's own connections (lib/postgres/postgres.ts), which makes the limit higher.
    const client = new pg.Client({
      connectionString: task.databaseUrl,
      options: '-c plan_cache_mode=force_generic_plan',
    })
    await client.connect()
    return client
  }),
)
const figures = await closedLoops(clients.length, { ms: task.ms }, async (lane, round) => {
  const client = clients[lane]
  const recording = task.recordings[lane]
  if (!client || !recording) return false
  for (const [step, transaction] of recording.transactions.entries()) {
    await client.query('begin')
    for (const [at, statement] of transaction.statements.entries()) {
      const values = freshValues(recording, transaction, statement, { lane, n: task.first + round })
      await client.query({ name: `s${step}-${at}`, text: statement.sql, values })
    }
    await client.query('commit')
  }
  return true
})
await Promise.all(clients.map(client => client.end()))
process.stdout.write(`${JSON.stringify({ ...figures, latencies: [] })}\n`)
