/** A command that ends its process is run twice at most, and no other command fails because of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { eventually } from '../support/eventually.ts'
import { createNotesTable, notesOf, testEndpoints } from '../support/pipeline.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const WORKER = fileURLToPath(new URL('./deadly-worker.ts', import.meta.url))

const services = await testServices()
const service = await startService(services, {
  endpoints: testEndpoints,
  workers: 0,
  env: { COMMAND_DEADLINE_MS: '60000' },
})
await createNotesTable(service.pool)
const redis = new Redis(services.redisUrl)

/** Starts the worker, and starts it again when it dies, until the test ends it. */
function keepRunning() {
  let ended = false
  let deaths = 0
  let output = ''
  let child: ChildProcess
  const start = () => {
    child = spawn(process.execPath, [WORKER], {
      env: {
        ...process.env,
        DATABASE_URL: services.databaseUrl,
        REDIS_URL: services.redisUrl,
        WEBHOOK_SECRET_KEY: 'a'.repeat(64),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout?.setEncoding('utf8').on('data', text => {
      output += text
    })
    child.once('exit', () => {
      if (ended) return
      deaths++
      start()
    })
  }
  start()
  return {
    deaths: () => deaths,
    output: () => output,
    tellMetrics: () => void child.kill('SIGUSR2'),
    end: () => {
      ended = true
      child.kill('SIGKILL')
    },
  }
}

test.after.always(async () => {
  redis.disconnect()
  await service.close()
  await services.close()
})

test('a command that kills its worker runs alone the second time, and is refused with 500 the third; its neighbours are done', async t => {
  const client = await service.tenant()
  const texts = ['a', 'b', 'deadly', 'c', 'd']
  // Repeats as a caller does after a 503: on a busy machine the start of three workers takes longer than a deadline.
  const answered = async (text: string) => {
    for (;;) {
      const reply = await client.post('/notes', { text }, text)
      if (reply.status !== 503) return reply
    }
  }
  const sent = texts.map(async (text, at) => {
    // The commands are queued in this order, and all of them before a worker starts.
    await eventually(async () => (await redis.llen(`{s0}:t${client.tenantId}:wait`)) === at)
    return answered(text)
  })
  await eventually(async () => (await redis.llen(`{s0}:t${client.tenantId}:wait`)) === texts.length)
  const worker = keepRunning()
  t.teardown(worker.end)
  const replies = await Promise.all(sent)
  t.deepEqual(
    replies.map(({ status }) => (status === 200 ? 201 : status)),
    [201, 201, 500, 201, 201],
  )
  t.is(replies[2]?.body.error, 'internal_error')
  t.is(worker.deaths(), 2)
  t.deepEqual(await notesOf(service.pool, client.tenantId), ['a', 'b', 'c', 'd'])
  t.deepEqual(await redis.keys(`{s0}:t${client.tenantId}:req*`), [], 'no job is left')
  const claims = await redis.keys(`*:tenant:${client.tenantId}:key:*`)
  t.is(claims.length, 4, 'its key is free')
  const told = /"level":"error".*"tenant_id":"(\d+)".*"attempt":3.*it was refused/
  t.is(await eventually(() => told.exec(worker.output())?.[1]), client.tenantId)
  worker.tellMetrics()
  await eventually(() => /millrace_commands_given_up_total\S* 1\n/.test(worker.output()))
})
