/** The guarantees of the product list: order, pages and filters. */
import { changeProduct as change, createProduct as create } from '../../lib/domain/catalogue/commands.ts'
import { listProducts as list } from '../../lib/domain/catalogue/endpoints.ts'
import type { PageOptions, TestTenant } from '../support/command-context.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const titles = async (tenant: TestTenant, options?: PageOptions) =>
  (await tenant.page(list, options)).map(({ title }: { title: string }) => title)

test('the list shows the full documents of the tenant, ascending by id, page by page', async t => {
  const tenant = await bench.tenant()
  await (await bench.tenant()).done(create, { title: 'foreign' })
  const made = []
  for (const title of ['a', 'b', 'c', 'd', 'e']) made.push(await tenant.done(create, { title, variants: [{}, {}] }))
  t.deepEqual(await tenant.page(list), made)
  t.deepEqual(await tenant.page(list, { limit: 2 }), made.slice(0, 2))
  t.deepEqual(await tenant.page(list, { limit: 2, after: made[1].id }), made.slice(2, 4))
  t.deepEqual(await tenant.page(list, { limit: 2, after: made[4].id }), [])
})

test('filters leave what they say, and archived products are listed unless filtered', async t => {
  const tenant = await bench.tenant()
  await tenant.done(create, { title: 'a', sku: 'A', external_ref: 'r' })
  const b = await tenant.done(create, { title: 'b', type: 'MATERIAL', variants: [{ sku: 'B1' }, { sku: 'B2' }] })
  await tenant.done(create, { title: 'c', type: 'SERVICE' })
  await tenant.done(change, { archived: true }, { id: b.id })
  const cases: [Record<string, string>, string[]][] = [
    [{}, ['a', 'b', 'c']],
    [{ type: 'PRODUCT' }, ['a']],
    [{ type: 'MATERIAL', archived: 'true' }, ['b']],
    [{ type: 'MATERIAL', archived: 'false' }, []],
    [{ archived: 'true' }, ['b']],
    [{ archived: 'false' }, ['a', 'c']],
    [{ external_ref: 'r' }, ['a']],
    [{ external_ref: 'R' }, []],
    [{ sku: 'A' }, ['a']],
    [{ sku: 'B2' }, ['b']],
    [{ sku: 'B2', archived: 'false' }, []],
    [{ sku: 'B' }, []],
    [{ sku: 'A', type: 'PRODUCT', external_ref: 'r', updated_after: '2020-01-01' }, ['a']],
  ]
  for (const [filters, found] of cases) t.deepEqual(await titles(tenant, { filters }), found, JSON.stringify(filters))
})

test('a sku finds archived variants too, and only the unarchived one with archived=false', async t => {
  const tenant = await bench.tenant()
  const old = await tenant.done(create, { title: 'old', variants: [{ sku: 'A' }, {}] })
  await tenant.done(change, { variants: [{ id: old.variants[0].id, archived: true }] }, { id: old.id })
  await tenant.done(create, { title: 'new', sku: 'A' })
  t.deepEqual(await titles(tenant, { filters: { sku: 'A' } }), ['old', 'new'])
  t.deepEqual(await titles(tenant, { filters: { sku: 'A', archived: 'false' } }), ['new'])
})

test('updated_after includes the moment itself and follows changes of variants', async t => {
  const tenant = await bench.tenant()
  tenant.now = '2026-11-21T05:00:00.001Z'
  const a = await tenant.done(create, { title: 'a', sku: 'A' })
  tenant.now = '2026-11-21T05:00:00.002Z'
  const b = await tenant.done(create, { title: 'b', type: 'MATERIAL' })
  const since = (updated_after: string, more = {}) => titles(tenant, { filters: { updated_after, ...more } })
  t.deepEqual(await since(a.updated_at), ['a', 'b'])
  t.deepEqual(await since(b.updated_at), ['b'])
  t.deepEqual(await since('2026-11-21T05:00:00.003Z'), [])
  t.deepEqual(await since('2026-11-21'), ['a', 'b'])
  t.deepEqual(await since('2026-11-21', { type: 'MATERIAL' }), ['b'])
  t.deepEqual(await since('2026-11-21', { sku: 'A' }), ['a'])
  t.deepEqual(
    await titles(tenant, {
      filters: { updated_after: '2026-11-21' },
      after: `${Date.parse(a.updated_at)}000_${a.id}`,
      limit: 1,
    }),
    ['b'],
  )
  tenant.now = '2026-11-22T00:00:00.000Z'
  await tenant.done(change, { variants: [{ id: a.variants[0].id, price: 1 }] }, { id: a.id })
  t.deepEqual(await since('2026-11-22'), ['a'])
})

test('a filter with a fault names itself', async t => {
  const tenant = await bench.tenant()
  const refusal = async (filters: Record<string, string>) => (await tenant.page(list, { filters })).message
  t.is(await refusal({ archived: '1' }), 'archived: must be true or false')
  t.is(await refusal({ type: 'x' }), 'type: must be one of PRODUCT, MATERIAL, SERVICE, KIT')
  t.is(await refusal({ updated_after: 'yesterday' }), 'updated_after: must be an ISO-8601 date or timestamp')
  t.is(await refusal({ title: 'x' }), 'title: is not a known parameter')
})
