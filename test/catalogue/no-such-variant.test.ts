/** The error for an id that belongs to no variant. */

import { ApiError, Millrace } from '../../client/src/index.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()
test("a product's id in place of a variant's is told as such, with its variants", async t => {
  const tenant = await service.tenant()
  const product = (await tenant.post('/products', { title: 'Oak; board', variants: [{ sku: 'OAK-1' }, {}] })).body
  const [first, second] = product.variants
  const place = (await tenant.post('/storage-places', { title: 'Main' })).body.id
  const reason = `no such variant, but it is the product Oak;board: give the id of a variant, ${first.id} (OAK-1), ${second.id}`
  const item = itemLine(product.id, 1)
  const items = { items: [item] }
  const line = 'items[0].item_variant_id'
  for (const [path, body, field] of [
    ['/sales-orders', { customer: { title: 'Shop' }, ...items }, line],
    ['/reservations', { expires_at: new Date(Date.now() + 3_600_000), ...items }, line],
    ['/purchase-orders', { supplier: { title: 'Mill' }, ...items }, line],
    ['/stock-adjustments', items, line],
    ['/stock-counts', { items: [{ item_variant_id: item.item_variant_id, counted_quantity: 1 }] }, line],
    ['/stock-transfers', { from_storage_place_id: place, to_storage_place_id: null, ...items }, line],
    ['/manufacturing-orders', item, 'item_variant_id'],
    ['/manufacturing-orders', { item_variant_id: first.id, quantity: 1, ...items }, line],
    ['/recipes', { item_variant_id: product.id, materials: [itemLine(second.id, 1)] }, 'item_variant_id'],
    ['/recipes', { item_variant_id: first.id, materials: [item] }, 'materials[0].item_variant_id'],
  ] as const) {
    const refused = await tenant.post(path, body)
    t.is(refused.status, 400, path)
    t.is(refused.body.message, `${field}: ${reason}`, path)
  }
  // Each fault has a message of its own, and the client tells them apart.
  const millrace = new Millrace({ baseUrl: service.url, token: tenant.token })
  const several = await millrace.stockAdjustments
    .create({ items: [itemLine('1', 1), item] })
    .catch((error: unknown) => error)
  t.true(several instanceof ApiError)
  t.deepEqual((several as ApiError).fields, [
    { field: line, reason: 'no such variant' },
    { field: 'items[1].item_variant_id', reason },
  ])
})

test("of many variants none is named, of an archived product neither, and another tenant's product is nothing", async t => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const told = async (id: string) =>
    (await tenant.post('/stock-adjustments', { items: [itemLine(id, 1)] })).body.message
  const variants = Array.from({ length: 6 }, () => ({}))
  const many = (await tenant.post('/products', { title: 'Many', variants })).body
  t.regex(await told(many.id), /: no such variant, but it is the product Many: give the id of one of its variants$/)
  const old = (await tenant.post('/products', { title: 'Old' })).body
  await tenant.patch(`/products/${old.id}`, { archived: true })
  t.regex(await told(old.id), /the product Old, which has no variant that is not archived$/)
  const foreign = (await other.post('/products', { title: 'Secret' })).body
  t.is(await told(foreign.id), 'items[0].item_variant_id: no such variant')
})
