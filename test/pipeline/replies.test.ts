/** Answers to a server process: they arrive whatever happens to the stream and to Redis's clock. */

import type { Outcome } from '../../lib/pipeline/command.ts'
import { ReplyReader, replySender } from '../../lib/pipeline/replies.ts'
import { closeRedis, connectRedis } from '../../lib/platform/redis/redis.ts'
import { secretBox } from '../../lib/platform/secret-box.ts'
import { eventually } from '../support/eventually.ts'
import { privateRedis } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const SERVER = 'test-server'
const STREAM = `replies:${SERVER}`
const HOUR_MS = 3_600_000

const options = {
  secrets: secretBox([Buffer.alloc(32)]),
  onFault: (error: Error) => {
    throw error
  },
}
const outcome: Outcome = { kind: 'done', status: 201, body: '{}', replayed: false }

async function startReader() {
  const server = await privateRedis({ durable: false })
  const redis = connectRedis(server.url, 'worker', 'test worker')
  const reader = new ReplyReader(connectRedis(server.url, 'worker', 'test replies'), SERVER, options)
  reader.start()
  const close = async () => {
    await reader.close()
    await closeRedis(redis)
    await server.close()
  }
  /** Sends an answer, and waits until the reader has it. */
  const send = async (requestId: string) => {
    const waiting = reader.expect(requestId)
    await replySender(redis, options)([{ to: { replyTo: SERVER, requestId }, outcome }])
    return waiting.outcome
  }
  /** The reader gets an answer with the id that Redis gives in an hour. */
  const sendAhead = async () => {
    const waiting = reader.expect('ahead')
    await redis.xadd(STREAM, `${Date.now() + HOUR_MS}-0`, 'ahead', JSON.stringify(outcome))
    return waiting.outcome
  }
  return { server, redis, close, send, sendAhead }
}

test('answers arrive from another Redis whose clock is an hour behind', async t => {
  const { server, close, send, sendAhead } = await startReader()
  t.teardown(close)
  t.deepEqual(await sendAhead(), outcome)
  await server.kill()
  await server.start()
  t.deepEqual(await send('after'), outcome)
})

test('answers arrive when the stream is gone and the clock was set back an hour', async t => {
  const { redis, close, send, sendAhead } = await startReader()
  t.teardown(close)
  t.deepEqual(await sendAhead(), outcome)
  await redis.del(STREAM)
  t.deepEqual(await send('after'), outcome)
})

test('what the reader has read leaves the stream', async t => {
  const { redis, close, send } = await startReader()
  t.teardown(close)
  for (let n = 0; n < 20; n++) t.deepEqual(await send(`request ${n}`), outcome)
  t.true(await eventually(async () => (await redis.xlen(STREAM)) === 0))
})
