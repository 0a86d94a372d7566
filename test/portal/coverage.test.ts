/** Whether an open order can be shipped, is expected on a day, or is short of how many: computed by hand. */
import { type Coverage, covered, needsOf, worstOf } from '../../portal/src/screens/sales/coverage-rules.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const line = (id: string, quantity: string, shipped = '0', more = {}) => ({
  ...{ id, item_variant_id: `v${id}`, storage_place_id: null, title: `Goods ${id}` },
  ...{ quantity, shipped_quantity: shipped, components: [], ...more },
})
const order = (items: readonly object[], more = {}) =>
  ({ id: '50', status: 'OPEN', delivery_date: '2030-05-05', items, ...more }) as never

test('an order needs what is not shipped, of kits the components, and nothing once it is closed', t => {
  const part = { item_variant_id: 'bolt', title: 'Bolt', quantity: '8', shipped_quantity: '2' }
  const items = [
    line('1', '5', '2'),
    line('2', '4', '4'),
    line('3', '1', '0', { components: [part] }),
    line('4', '1', '0', { item_variant_id: null }),
  ]
  t.deepEqual(
    needsOf(order(items)).map(({ id, item_variant_id, left, isPart }) => [id, item_variant_id, left, isPart]),
    [
      ['1', 'v1', '3', false],
      ['3', 'bolt', '6', true],
    ],
  )
  t.deepEqual(needsOf(order(items, { status: 'CANCELLED' })), [])
})

const source = (source_id: string, quantity: string, due_date: string) => ({ source_id, quantity, due_date })
/** 10 are in stock. An earlier order takes 8, 3 arrive on May 3, and 4 at an unknown time. */
const projection = {
  quantity: '10',
  days: [
    { date: '2030-05-01', sources: [source('40', '-8', '2030-05-01')] },
    { date: '2030-05-03', sources: [source('90', '3', '2030-05-03')] },
    { date: '2030-05-05', sources: [source('50', '-99', '2030-05-05'), source('60', '-9', '2030-05-05')] },
  ],
  undated_supply: [{ quantity: '4' }],
} as never
const told = (...left: string[]) => {
  const needs = needsOf(order(left.map((quantity, index) => line(String(index), quantity))))
  return covered(order([]), needs, projection).map(one =>
    one.is === 'SHORT' ? `SHORT ${one.by}` : 'day' in one ? one.day : one.is,
  )
}

test('what is needed earlier comes first, and lines share what comes', t => {
  t.deepEqual(told('2'), ['STOCK'])
  t.deepEqual(told('5'), ['2030-05-03'])
  t.deepEqual(told('9'), ['UNDATED'])
  t.deepEqual(told('10'), ['SHORT 1'])
  t.deepEqual(told('2', '3', '1', '8'), ['STOCK', '2030-05-03', 'UNDATED', 'SHORT 5'])
  // What an earlier line lacks is not lacking a second time.
  t.deepEqual(told('12', '2'), ['SHORT 3', 'SHORT 2'])
})

test('an order stands as the worst of its lines, and waits for the last day', t => {
  const [early, late] = ['2030-05-03', '2030-05-09'].map((day): Coverage => ({ is: 'EXPECTED', day }))
  if (!early || !late) return t.fail()
  t.deepEqual(worstOf([]), { is: 'STOCK' })
  t.is(worstOf([early, late, { is: 'STOCK' }]), late)
  t.is(worstOf([late, early]), late)
  t.is(worstOf([late, { is: 'UNDATED' }]).is, 'UNDATED')
  t.is(worstOf([{ is: 'SCARCE' }, { is: 'UNDATED' }]).is, 'SCARCE')
})
