/** Dry and real commands of one tenant in one unit of work: the dry ones do not change the events, counts and answers of the real ones. */

import * as v from 'valibot'
import { type Command, dryRunKey, internalError, type Outcome } from '../../lib/pipeline/command.ts'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { snapshotOf } from '../support/snapshot.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()
const real = (tenantId: string, step: Step) => commandOf(tenantId, step)
const dry = (tenantId: string, step: Step): Command => {
  const command = commandOf(tenantId, step)
  return { ...command, isDryRun: true, idempotencyKey: dryRunKey(command.requestId) }
}
const bodyOf = (outcome: Outcome | undefined): Loose =>
  outcome?.kind === 'done' ? JSON.parse(outcome.body ?? 'null') : outcome?.refusal

async function room() {
  const made = await salesroom(bench)
  const oak = await made.variant('OAK')
  await made.adjust([{ item_variant_id: oak, quantity: 10, unit_cost: 2 }])
  const adjust = (quantity: number): Step => ['createStockAdjustment', { items: [{ item_variant_id: oak, quantity }] }]
  return { tenantId: made.tenant.id, adjust }
}

/** The events since then, in order: the kind, and the field that names the command. */
async function toldAfter(tenantId: string, sequence: bigint) {
  const found = await bench.pool.any(rows(v.object({ sequence: v.string(), body: v.string() }))`
    select sequence::text, body from events where tenant_id = ${tenantId}::bigint and sequence > ${String(sequence)}::bigint
    order by sequence`)
  return found.map(({ sequence: at, body }) => {
    const { type, data } = JSON.parse(body)
    return [Number(BigInt(at) - sequence), type, data.title ?? data.quantity ?? data.number]
  })
}

async function sequenceOf(tenantId: string): Promise<bigint> {
  const { sequence } = await bench.pool.one(rows(v.object({ sequence: v.string() }))`
    select event_sequence::text as sequence from tenant_streams where tenant_id = ${tenantId}::bigint`)
  return BigInt(sequence)
}

test('what a dry run moved is told by no other command, and is in no stock', async t => {
  const { tenantId, adjust } = await room()
  const before = await sequenceOf(tenantId)
  const supplier: Step = ['createSupplier', { title: 'Ash' }]
  const commands = [
    dry(tenantId, adjust(5)),
    real(tenantId, supplier),
    dry(tenantId, adjust(-10)),
    real(tenantId, adjust(1)),
    dry(tenantId, adjust(-11)),
    dry(tenantId, adjust(-12)),
    real(tenantId, adjust(2)),
    dry(tenantId, supplier),
  ]
  const [outcomes = []] = await units.outcomesOf([{ tenantId, commands }])
  t.deepEqual(
    outcomes.map(outcome => (outcome.kind === 'done' ? outcome.status : outcome.refusal.refusal)),
    [201, 201, 201, 201, 201, 'validation_failed', 201, 201],
    'one unit ran all of them, each on what the real ones before it left',
  )
  t.deepEqual(await toldAfter(tenantId, before), [
    [1, 'supplier.created', 'Ash'],
    [2, 'stock.changed', 11],
    [3, 'stock_adjustment.created', 'SA-00002'],
    [4, 'stock.changed', 13],
    [5, 'stock_adjustment.created', 'SA-00003'],
  ])
  const [, , dried, , , , last] = outcomes.map(bodyOf)
  t.is(dried.number, 'SA-00002', 'the number that the next one gets')
  t.is(last.number, 'SA-00003')
  t.deepEqual(await bench.faults(tenantId), [])
})

test('a unit of dry runs alone writes nothing', async t => {
  const { tenantId, adjust } = await room()
  const before = await snapshotOf(bench.pool, tenantId)
  const commands = [adjust(3), adjust(-4), adjust(-99)].map(step => dry(tenantId, step))
  const result = (await units.run([{ tenantId, commands }])).get(tenantId)
  t.like(result, { is: 'ran', hasEvents: false })
  t.deepEqual(await snapshotOf(bench.pool, tenantId), before)
})

test('a dry run that nobody can finish is refused and not remembered', async t => {
  const { tenantId, adjust } = await room()
  const before = await snapshotOf(bench.pool, tenantId)
  const commands = [dry(tenantId, adjust(3))]
  const [outcomes = []] = await units.outcomesOf([{ tenantId, commands, forcedRefusal: internalError }])
  t.is(outcomes[0]?.kind === 'refused' && outcomes[0].refusal.refusal, 'internal_error')
  t.deepEqual(await snapshotOf(bench.pool, tenantId), before)
})
