/** Fields that can be changed in every status: notes, `external_ref` and metadata. What was posted stays. */
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import type { AnyNoun } from '../../lib/kit/documents/noun.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { changeOf, creationOf, headOf, recorded, recordOf, type Shop, shop } from './recorded.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const path = ({ id }: Loose) => ({ id: id as string })
const nounOf = (kind: string) => recorded.find(noun => noun.kind === kind) as AnyNoun
const why = { reason: 'by mistake' }

/** Documents in each final status, by the command that brings them there. */
const ended: Readonly<Record<string, (shop: Shop, record: Loose) => Promise<unknown>>> = {
  purchase_receipt: ({ tenant }, one) => tenant.done(endpointOf('reversePurchaseReceipt'), why, path(one)),
  landed_cost: ({ tenant }, one) => tenant.done(endpointOf('reverseLandedCost'), why, path(one)),
  sales_shipment: ({ tenant }, one) => tenant.done(endpointOf('reverseSalesShipment'), why, path(one)),
  stock_adjustment: ({ tenant }, one) => tenant.done(endpointOf('reverseStockAdjustment'), why, path(one)),
  stock_transfer: ({ tenant }, one) => tenant.done(endpointOf('reverseStockTransfer'), why, path(one)),
  stock_count: ({ tenant }, one) => tenant.done(endpointOf('cancelStockCount'), {}, path(one)),
  sales_return: ({ tenant }, one) => tenant.done(endpointOf('cancelSalesReturn'), {}, path(one)),
  purchase_order: ({ tenant }, one) => tenant.done(endpointOf('closePurchaseOrder'), {}, path(one)),
  manufacturing_order: async ({ tenant }, one) => {
    await tenant.done(endpointOf('startManufacturingOrder'), {}, path(one))
    await tenant.done(endpointOf('completeManufacturingOrder'), {}, path(one))
  },
}

const said = { notes: 'Noted', external_ref: 'noted', metadata: { by: 'phone' } }

test('notes, external_ref and metadata change before and after a document has ended, and nothing else does', async t => {
  const room = await shop(bench)
  const { tenant } = room
  for (const [kind, end] of Object.entries(ended)) {
    const noun = nounOf(kind)
    const change = changeOf(noun) as CommandEndpoint
    const record = await recordOf(room, noun)
    const first = headOf(noun, await tenant.done(change, { notes: 'open' }, path(record)))
    t.deepEqual(first, { ...record, notes: 'open' }, kind)
    await end(room, record)
    const before = headOf(noun, await tenant.done(change, {}, path(record)))
    const movements = await room.movements({ source_id: record.id })
    tenant.now = new Date(Date.parse(tenant.now) + 60_000).toISOString()
    const { body, events } = await tenant.run(change, said, path(record))
    const after = headOf(noun, body)
    t.deepEqual(after, { ...before, ...said, updated_at: tenant.now }, kind)
    t.like(events, [{ type: `${kind}.updated`, data: body }], kind)
    t.is(events.length, 1, kind)
    t.deepEqual(await room.movements({ source_id: record.id }), movements, kind)
    t.is(headOf(noun, await tenant.done(change, { notes: null }, path(record))).notes, null, kind)
  }
})

test('they take the scope of their POST and If-Match; a taken external_ref is refused, other fields too', async t => {
  const room = await shop(bench)
  const { tenant } = room
  for (const kind of [
    ...['purchase_receipt', 'landed_cost', 'sales_shipment', 'sales_return', 'stock_adjustment', 'stock_transfer'],
  ]) {
    const noun = nounOf(kind)
    const change = changeOf(noun) as CommandEndpoint
    const { endpoint } = await creationOf(room, noun)
    t.deepEqual([change.scope, change.takesIfMatch], [endpoint.scope, true], kind)
    const first = await recordOf(room, noun, { external_ref: `${kind}-1` })
    const second = await recordOf(room, noun)
    const taken = { external_ref: `${kind}-1` }
    t.is(
      await tenant.refusal(change, taken, path(second)),
      `validation_failed external_ref: is taken by ${first.id}`,
      kind,
    )
    t.is(await tenant.refusal(change, taken, path(first)), 'done', kind)
    for (const field of ['number', 'date', 'reason', 'items', 'status', 'created_by_user_name', 'updated_by_user_name'])
      t.is(
        await tenant.refusal(change, { [field]: 'x' }, path(first)),
        `validation_failed ${field}: is not a known field`,
        kind,
      )
    t.regex(await tenant.refusal(change, said, { id: '1' }), /^not_found /, kind)
  }
})

test('a finished sales order takes no PATCH', async t => {
  const room = await shop(bench)
  const order = await recordOf(room, nounOf('sales_order'))
  await room.ship(order)
  t.regex(await room.refusedChange(order, { metadata: { by: 'phone' } }), /^sales_order_not_editable /)
})
