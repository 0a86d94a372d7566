/** A command that a process of the previous release queued lacks the new fields: they get their defaults. */
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { salesroom } from '../sales/salesroom.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile, unitsOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { commandOf, type Step } from '../support/units.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()
const units = await unitsOfFile()

/** Fields as a release may add them. */
const NEW = new Set([
  ...['shipping_address', 'billing_address', 'address', 'discount_percent', 'charges'],
  ...['carrier', 'tracking_number', 'tracking_url'],
  ...['purchase_quantity', 'purchase_price', 'conversion_rate', 'purchase_unit_name'],
])

/** The body as a release without these fields makes it. */
function asBefore(body: Loose): Loose {
  if (Array.isArray(body)) return body.map(asBefore)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (NEW.has(name) ? [] : [[name, asBefore(value)]])),
  )
}

test('partners, orders, changes, receipts and shipments queued without addresses, discounts, charges and carriers have none', async t => {
  const room = await salesroom(bench)
  const main = await room.place('Main')
  const oak = await room.variant('OAK')
  const run = async (step: Step): Promise<Loose> => {
    const command = commandOf(room.tenant.id, step)
    const commands = [{ ...command, body: asBefore(command.body) }]
    const [[outcome] = []] = await units.outcomesOf([{ tenantId: room.tenant.id, commands }])
    if (outcome?.kind !== 'done') throw new Error(`${step[0]}: ${JSON.stringify(outcome)}`)
    return JSON.parse(outcome.body ?? '')
  }
  t.like(await run(['createCustomer', { title: 'Ash' }]), { shipping_address: null, billing_address: null })
  const items = [{ item_variant_id: oak, quantity: 2, price: 1.5 }]
  const bought = await run(['createPurchaseOrder', { supplier: { title: 'Timber' }, items }])
  t.like(bought.items[0], { discount_percent: 0, line_amount: 3, purchase_quantity: null, conversion_rate: 1 })
  t.is((await room.tenant.read(supplierEndpoints.read, { id: bought.supplier.id })).address, null)
  const added = await run(['updatePurchaseOrder', { items: [{ item_variant_id: oak, quantity: 1 }] }, bought.id])
  t.is(added.items[1].discount_percent, 0)
  const receipt = await run(['createPurchaseReceipt', { storage_place_id: main }, bought.id])
  t.like(receipt, { total_amount: 3 })
  const sold = await run(['createSalesOrder', { customer: { title: 'Birch' }, items }])
  t.like(sold, { charges: [], shipping_address: null, billing_address: null, total_amount: 3 })
  t.is(sold.items[0].discount_percent, 0)
  const changed = await run(['updateSalesOrder', { items: [{ item_variant_id: oak, quantity: 1 }] }, sold.id])
  t.like(changed, { charges: [], total_amount: 3 })
  const shipment = await run(['createShipment', {}, sold.id])
  t.like(shipment, { carrier: null, tracking_number: null, tracking_url: null })
})
