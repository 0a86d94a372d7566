/**
 * Owns the guarantees of making products: defaults, variants or shorthand, skus, the plan's limit.
 * It must not speak HTTP.
 */
import test from 'ava'
import { createProductEndpoint as create, getProductEndpoint as get } from '../../lib/catalogue/endpoints.ts'
import { commandBench } from '../support/command-context.ts'
import { testServices } from '../support/services.ts'

const services = await testServices()
const bench = await commandBench(services.databaseUrl)
test.after.always(async () => {
  await bench.close()
  await services.close()
})

test('a product with nothing but a title gets the defaults and one variant without sku', async t => {
  const tenant = await bench.tenant()
  const { body, events } = await tenant.run(create, { title: '  Oak table ' })
  const { id, unit_id, variants } = body
  t.deepEqual(body, {
    id,
    title: 'Oak table',
    type: 'PRODUCT',
    description: null,
    category: null,
    unit_id,
    unit_name: 'pcs',
    is_sellable: true,
    is_producible: true,
    is_purchasable: true,
    batch_tracked: false,
    shelf_life_days: null,
    external_ref: null,
    archived: false,
    created_at: tenant.now,
    updated_at: tenant.now,
    variants: [
      {
        id: variants[0].id,
        item_id: id,
        title: 'Oak table',
        sku: null,
        barcode: null,
        price: null,
        purchase_price: null,
        minimum_stock: null,
        attributes: {},
        archived: false,
        created_at: tenant.now,
        updated_at: tenant.now,
      },
    ],
  })
  t.deepEqual(events, [{ type: 'product.created', data: body, previous: null }])
  t.deepEqual(await tenant.read(get, { id }), body)
})
