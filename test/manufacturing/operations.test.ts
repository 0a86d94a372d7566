/** The guarantees of operations: what they answer, keep and refuse. */
import * as v from 'valibot'
import { changeOperation, createOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { getOperation, listOperations } from '../../lib/domain/manufacturing/operations/endpoints.ts'
import { Operation } from '../../lib/domain/manufacturing/operations/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('an operation answers its document, which its GET and the list repeat; units are shared by name', async t => {
  const tenant = await bench.tenant()
  const saw = await tenant.done(createOperation, {
    title: ' Sawing ',
    cost_per_hour: 36.123456,
    position: 10,
    unit_name: 'saw',
    external_ref: 'op-1',
  })
  t.is(v.safeParse(replyOf(Operation), saw).issues, undefined)
  t.like(saw, { title: 'Sawing', cost_per_hour: 36.123456, position: 10, unit_name: 'saw', external_ref: 'op-1' })
  const glue = await tenant.done(createOperation, { title: 'Gluing', cost_per_hour: 0, unit_name: 'saw' })
  t.like(glue, { cost_per_hour: 0, position: 0, unit_id: saw.unit_id, external_ref: null })
  const paint = await tenant.done(createOperation, { title: 'Painting', cost_per_hour: 20 })
  t.like(paint, { unit_id: null, unit_name: null })
  t.deepEqual(await tenant.read(getOperation, { id: saw.id }), saw)
  t.deepEqual(await tenant.page(listOperations), [saw, glue, paint])
  t.deepEqual(await tenant.page(listOperations, { filters: { external_ref: 'op-1' } }), [saw])
})

test('a change keeps what it omits, clears on null, and writes nothing when nothing changes', async t => {
  const tenant = await bench.tenant()
  const saw = await tenant.done(createOperation, { title: 'Sawing', cost_per_hour: 30, unit_name: 'saw' })
  const change = (body: object) => tenant.done(changeOperation, body, { id: saw.id })
  tenant.now = '2026-11-21T06:00:00.000Z'
  const same = await tenant.run(changeOperation, { cost_per_hour: 30, title: 'Sawing' }, { id: saw.id })
  t.deepEqual(same, { body: saw, events: [] })
  const bench2 = await change({ cost_per_hour: 31.5, unit_name: 'bench' })
  t.like(bench2, { title: 'Sawing', cost_per_hour: 31.5, unit_name: 'bench', updated_at: tenant.now })
  const { body, events } = await tenant.run(changeOperation, { unit_name: null }, { id: saw.id })
  t.like(body, { unit_id: null, unit_name: null, cost_per_hour: 31.5 })
  const previous = { unit_id: bench2.unit_id, unit_name: 'bench' }
  t.deepEqual(events, [{ type: 'operation.updated', data: body, previous }])
})

test('what an operation refuses', async t => {
  const tenant = await bench.tenant()
  const valid = { title: 'Sawing', cost_per_hour: 30 }
  const { id } = await tenant.done(createOperation, { ...valid, external_ref: 'a' })
  const b = await tenant.done(createOperation, { ...valid, external_ref: 'b' })
  const cases: [object, string][] = [
    [{ cost_per_hour: 1 }, 'validation_failed title: is required'],
    [{ title: 'x' }, 'validation_failed cost_per_hour: '],
    [{ ...valid, cost_per_hour: -1 }, 'validation_failed cost_per_hour: must be 0 or more'],
    [{ ...valid, position: null }, 'validation_failed position: must not be null'],
    [{ ...valid, position: 1.5 }, 'validation_failed position: must be a whole number'],
    [{ ...valid, external_ref: 'a' }, `validation_failed external_ref: is taken by ${id}`],
  ]
  for (const [body, expected] of cases) {
    const refusal = await tenant.refusal(createOperation, body)
    t.true(refusal.startsWith(expected), refusal)
  }
  t.is(
    await tenant.refusal(changeOperation, { external_ref: 'b' }, { id }),
    `validation_failed external_ref: is taken by ${b.id}`,
  )
  t.is(await tenant.refusal(changeOperation, { external_ref: 'a' }, { id }), 'done')
  const stranger = await bench.tenant()
  t.is(await stranger.refusal(changeOperation, { title: 'x' }, { id }), 'not_found no such operation')
})
