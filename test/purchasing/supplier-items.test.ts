/** The guarantees of supplier items: at most one for a supplier and variant, at most one preferred for a variant, and what they refuse. */
import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { supplierEndpoints } from '../../lib/domain/partners/endpoints.ts'
import { changeSupplierItem, createSupplierItem } from '../../lib/domain/purchasing/supplier-items/commands.ts'
import { getSupplierItem, listSupplierItems } from '../../lib/domain/purchasing/supplier-items/endpoints.ts'
import { SupplierItem } from '../../lib/domain/purchasing/supplier-items/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import type { Loose } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { buying } from './buying.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

async function suppliers() {
  const room = await buying(bench)
  const { tenant } = room
  const other: string = (await tenant.done(supplierEndpoints.create, { title: 'Ship and Sons' })).id
  const oak = await room.variant('OAK')
  return {
    ...room,
    other,
    oak,
    item: (body: Loose = {}) =>
      tenant.done(createSupplierItem, { supplier_id: room.supplier, item_variant_id: oak, ...body }),
    refusedItem: (body: Loose) =>
      tenant.refusal(createSupplierItem, { supplier_id: room.supplier, item_variant_id: oak, ...body }),
    edit: ({ id }: Loose, body: Loose) => tenant.run(changeSupplierItem, body, { id }),
    refusedEdit: ({ id }: Loose, body: Loose) => tenant.refusal(changeSupplierItem, body, { id }),
    items: (filters: Record<string, string> = {}): Promise<Loose[]> => tenant.page(listSupplierItems, { filters }),
    look: ({ id }: Loose): Promise<Loose> => tenant.read(getSupplierItem, { id }),
  }
}

test('an item shows what was sent and the defaults of the rest, is found by its filters, and tells one event', async t => {
  const { tenant, supplier, other, oak, item, items, look } = await suppliers()
  const sent = {
    supplier_id: supplier,
    item_variant_id: oak,
    supplier_sku: 'NP-4711',
    purchase_unit_name: 'box of 12',
    conversion_rate: 12,
    price: 10.123456,
    currency: 'USD',
    minimum_quantity: 5,
    multiple_of: 0.5,
    lead_time_days: 3_650,
    is_preferred: true,
    notes: 'Dry goods only',
    external_ref: 'si-1',
    metadata: { buyer: 'Tom' },
  }
  const { body, events } = await tenant.run(createSupplierItem, sent)
  t.is(v.safeParse(replyOf(SupplierItem), body).issues, undefined)
  t.like(body, { ...sent, archived: false, created_at: tenant.now, updated_at: tenant.now })
  t.deepEqual(events, [{ type: 'supplier_item.created', data: body, previous: null }])
  t.deepEqual(await look(body), body)
  const least = await item({ item_variant_id: undefined, sku: 'OAK', supplier_id: other })
  t.like(least, {
    item_variant_id: oak,
    supplier_sku: null,
    purchase_unit_name: null,
    conversion_rate: 1,
    price: null,
    currency: null,
    minimum_quantity: null,
    multiple_of: null,
    lead_time_days: null,
    is_preferred: false,
    notes: null,
    external_ref: null,
    metadata: {},
  })
  t.deepEqual(await items(), [body, least])
  t.deepEqual(await items({ supplier_id: other }), [least])
  t.deepEqual(await items({ supplier_id: `${other},${supplier}`, item_variant_id: oak }), [body, least])
  t.deepEqual(await items({ supplier_sku: 'NP-4711' }), [body])
  t.deepEqual(await items({ external_ref: 'si-1', archived: 'false' }), [body])
  t.deepEqual(await items({ archived: 'true' }), [])
})

test('a supplier has one item of a variant that is not archived; archiving it makes room, and unarchiving needs room', async t => {
  const { item, refusedItem, edit, refusedEdit, oak } = await suppliers()
  const first = await item()
  const taken = `the supplier item ${first.id} is for this supplier and variant already`
  t.is(await refusedItem({}), `validation_failed item_variant_id: ${taken}`)
  t.is(await refusedItem({ item_variant_id: undefined, sku: 'OAK' }), `validation_failed item_variant_id: ${taken}`)
  await edit(first, { archived: true })
  const second = await item({ price: 3 })
  t.is(second.item_variant_id, oak)
  const blocked = `validation_failed archived: the supplier item ${second.id} is for this supplier and variant already`
  t.is(await refusedEdit(first, { archived: false }), blocked)
  await edit(second, { archived: true })
  t.like((await edit(first, { archived: false, price: 4 })).body, { archived: false, price: 4 })
})

test('making one preferred ends it for the other of the variant, which gets an event of its own before', async t => {
  const { tenant, item, edit, look, other, variant } = await suppliers()
  const first = await item({ is_preferred: true })
  const elm = await item({ item_variant_id: await variant('ELM'), is_preferred: true })
  const sent = { supplier_id: other, item_variant_id: first.item_variant_id, is_preferred: true }
  const { body: second, events } = await tenant.run(createSupplierItem, sent)
  const ended = { ...first, is_preferred: false }
  t.deepEqual(events, [
    { type: 'supplier_item.updated', data: ended, previous: { is_preferred: true } },
    { type: 'supplier_item.created', data: second, previous: null },
  ])
  t.deepEqual(await look(first), ended)
  const again = await edit(first, { is_preferred: true, price: 2 })
  t.deepEqual(
    again.events.map(({ type, data, previous }: Loose) => [type, data.id, previous]),
    [
      ['supplier_item.updated', second.id, { is_preferred: true }],
      ['supplier_item.updated', first.id, { is_preferred: false, price: null }],
    ],
  )
  t.false((await look(second)).is_preferred)
  t.true((await look(elm)).is_preferred)
  t.deepEqual((await edit(first, { is_preferred: true })).events, [])
})

test('an archived item stays preferred until another one is, and does not become preferred', async t => {
  const { item, edit, refusedEdit, look, other } = await suppliers()
  const first = await item({ is_preferred: true })
  await edit(first, { archived: true })
  const second = await item({ supplier_id: other, is_preferred: true })
  t.false((await look(first)).is_preferred)
  t.is(
    await refusedEdit(first, { is_preferred: true }),
    'validation_failed is_preferred: the supplier item is archived',
  )
  t.true((await edit(first, { is_preferred: true, archived: false })).body.is_preferred)
  t.false((await look(second)).is_preferred)
})

test('supplier and variant stay, and bad values are refused with the field', async t => {
  const { tenant, item, refusedItem, refusedEdit, supplier, other } = await suppliers()
  const made = await item()
  for (const name of ['supplier_id', 'item_variant_id'])
    t.regex(await refusedEdit(made, { [name]: made[name] }), new RegExp(`^validation_failed ${name}: `))
  const refusals: [Loose, RegExp][] = [
    [{ supplier_id: '1' }, /^validation_failed supplier_id: no such supplier$/],
    [{ item_variant_id: '1' }, /^validation_failed item_variant_id: no such variant/],
    [{ conversion_rate: 0 }, /^validation_failed conversion_rate: /],
    [{ conversion_rate: -1 }, /^validation_failed conversion_rate: /],
    [{ conversion_rate: 1.0000000001 }, /^validation_failed conversion_rate: /],
    [{ conversion_rate: null }, /^validation_failed conversion_rate: /],
    [{ price: -1 }, /^validation_failed price: /],
    [{ price: 0.1234567 }, /^validation_failed price: /],
    [{ currency: 'XXX' }, /^validation_failed currency: XXX is not a currency/],
    [{ minimum_quantity: 0 }, /^validation_failed minimum_quantity: /],
    [{ multiple_of: 0 }, /^validation_failed multiple_of: /],
    [{ lead_time_days: 3_651 }, /^validation_failed lead_time_days: /],
    [{ lead_time_days: 1.5 }, /^validation_failed lead_time_days: /],
    [{ archived: true }, /^validation_failed archived: /],
    [{ sku: 'OAK' }, /^validation_failed sku: must not stand beside item_variant_id$/],
  ]
  for (const [body, message] of refusals) t.regex(await refusedItem({ supplier_id: other, ...body }), message)
  await tenant.done(supplierEndpoints.update, { archived: true }, { id: other })
  t.is(await refusedItem({ supplier_id: other }), 'validation_failed supplier_id: the supplier is archived')
  const stranger = await suppliers()
  const foreign = await stranger.item()
  t.is(await refusedItem({ supplier_id: stranger.supplier }), 'validation_failed supplier_id: no such supplier')
  t.regex(await refusedEdit(foreign, { price: 1 }), /^not_found /)
  t.regex(
    await refusedItem({ item_variant_id: foreign.item_variant_id, supplier_id: supplier }),
    /^validation_failed item_variant_id: no such variant/,
  )
})

test('a service may be bought from a supplier', async t => {
  const { tenant, item } = await suppliers()
  const { variants } = await tenant.done(createProduct, { title: 'Carriage', type: 'SERVICE' })
  t.is((await item({ item_variant_id: variants[0].id })).conversion_rate, 1)
})
