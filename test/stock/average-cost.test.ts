/** Moving average cost over adjustments and transfers, with figures computed by hand (contract 2, "Stock entry"). */
import test from 'ava'
import { commandBench } from '../support/command-context.ts'
import { testServices } from '../support/services.ts'
import { columns, stockroom } from './stockroom.ts'

const services = await testServices()
const bench = await commandBench(services.databaseUrl)
test.after.always(async () => {
  await bench.close()
  await services.close()
})

test('an outflow takes the average of the moment, and emptying a place takes the whole rest of the value', async t => {
  const { adjust, stock, movements, variant } = await stockroom(bench)
  const screw = await variant('SCREW')
  // 3 pieces for 10 in all: 3.333333 each, 9.999999 rounds to 10.0000.
  const first = await adjust([{ item_variant_id: screw, quantity: 3, unit_cost: 3.333333 }])
  t.deepEqual(columns(first.items, 'unit_cost', 'amount', 'quantity_before', 'quantity_after'), [[3.333333, 10, 0, 3]])
  t.is(first.total_amount, 10)
  t.deepEqual(columns(await stock(), 'quantity', 'average_cost', 'stock_value'), [[3, 3.3333, 10]])
  // 10/3 = 3.3333; 6.6667/2 = 3.33335 -> 3.3334; the rest is 3.3333.
  const taken = await adjust([1, 2, 3].map(() => ({ item_variant_id: screw, quantity: -1 })))
  t.deepEqual(columns(taken.items, 'quantity', 'unit_cost', 'amount'), [
    [-1, 3.3333, -3.3333],
    [-1, 3.3334, -3.3334],
    [-1, 3.3333, -3.3333],
  ])
  t.is(taken.total_amount, -10)
  t.deepEqual(columns(await stock(), 'quantity', 'average_cost', 'stock_value'), [[0, null, 0]])
  t.deepEqual(columns(await movements(), 'kind', 'quantity', 'value', 'quantity_after'), [
    ['ADJUSTMENT', 3, 10, 3],
    ['ADJUSTMENT', -1, -3.3333, 2],
    ['ADJUSTMENT', -1, -3.3334, 1],
    ['ADJUSTMENT', -1, -3.3333, 0],
  ])
})
