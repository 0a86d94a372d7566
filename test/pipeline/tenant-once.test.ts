/** A unit of work has each tenant once: two batches of one tenant at the same time are each answered with their own records. */

import type { Command, Ended } from '../../lib/pipeline/command.ts'
import { RoundTripPool } from '../../lib/platform/postgres/round-trip-pool.ts'

import { runUnit } from '../../lib/work/unit.ts'
import { ofTests, serviceOfFile } from '../support/of-file.ts'

import {
  createNotesTable,
  createNotesTenant,
  noteCommand,
  noteEndpoint,
  notesOf,
  testEndpoints,
  unitDependencies,
  unitRunner,
} from '../support/pipeline.ts'
import { testsOf } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ endpoints: testEndpoints })
const { pool } = service
await createNotesTable(pool)
const units = ofTests(test, async () => unitRunner(service.databaseUrl, [noteEndpoint]))

const notes = (tenantId: string, texts: readonly string[]): Command[] =>
  texts.map(text => noteCommand(tenantId, 'a', text))

/** The records in the answers of the commands, after the request id. */
const answers = (ended: readonly Ended[]) =>
  ended.map(({ command, outcome }) => [
    command.requestId,
    outcome.kind === 'done' ? (JSON.parse(outcome.body ?? '{}') as { text?: string }).text : outcome.refusal.refusal,
  ])
const expected = (commands: readonly Command[]) =>
  commands.map(({ requestId, body }) => [requestId, (body as { text: string }).text])

test('two batches of one tenant, handed over while another tenant is run, each get their own records', async t => {
  const [busy, twice] = [await createNotesTenant(pool), await createNotesTenant(pool)]
  for (let round = 0; round < 20; round++) {
    const other = units.run({ tenantId: busy, commands: notes(busy, [`busy ${round}`]) })
    const first = notes(twice, [`first ${round}`])
    const second = notes(twice, [`second ${round}`, `third ${round}`])
    const both = [units.run({ tenantId: twice, commands: first }), units.run({ tenantId: twice, commands: second })]
    const [ofFirst = [], ofSecond = []] = await Promise.all(both)
    t.deepEqual(answers(ofFirst), expected(first))
    t.deepEqual(answers(ofSecond), expected(second))
    await other
  }
  const wanted = Array.from({ length: 20 }, (_, round) => [`first ${round}`, `second ${round}`, `third ${round}`])
  t.deepEqual(await notesOf(pool, twice), wanted.flat())
})

test('a unit of work that holds a tenant twice is refused before anything is sent', async t => {
  const tenantId = await createNotesTenant(pool)
  const connections = new RoundTripPool(service.databaseUrl, { size: 1, ...within(5_000) })
  try {
    await connections.use(async connection => {
      const sent: string[] = []
      const send = connection.send.bind(connection)
      connection.send = queries => {
        sent.push(...queries.map(({ text }) => text))
        return send(queries)
      }
      const batches = ['one', 'two'].map(text => ({ tenantId, commands: notes(tenantId, [text]) }))
      const run = runUnit(connection, batches, { ...unitDependencies([noteEndpoint]), waits: true })
      await t.throwsAsync(run, { message: `a unit of work holds tenant ${tenantId} twice` })
      t.deepEqual(sent, [])
    })
    t.deepEqual(await notesOf(pool, tenantId), [])
  } finally {
    await connections.end()
  }
})
