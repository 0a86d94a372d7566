/** The requirements of making a variant: netting over all levels, the cost, and what is refused. */
import fc from 'fast-check'
import { changeProduct } from '../../lib/domain/catalogue/commands.ts'
import { createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { createStoragePlace } from '../../lib/domain/places/commands.ts'
import { getRequirementsEndpoint } from '../../lib/domain/planning/requirements/endpoints.ts'
import { type Component, requirementsOf } from '../../lib/domain/planning/requirements/netting-rules.ts'
import { changeSupplierItem, createSupplierItem } from '../../lib/domain/purchasing/supplier-items/commands.ts'
import { getBatch, listBatches } from '../../lib/domain/stock/batches/endpoints.ts'
import { formatMicro, parseMicro } from '../../lib/platform/decimal.ts'
import { sql, statement } from '../../lib/platform/postgres/postgres.ts'
import { type Workshop, workshop } from '../manufacturing/workshop.ts'
import type { Loose } from '../support/command-context.ts'
import { endpointOf } from '../support/endpoints.ts'
import { benchOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

const ask = (room: Workshop, query: Record<string, string>): Promise<Loose> =>
  room.tenant.read(getRequirementsEndpoint, {}, query)
const refused = async (room: Workshop, query: Record<string, string>): Promise<string> => {
  const { refusal, message } = await ask(room, query)
  return `${refusal} ${message}`
}

const line = (row: Loose): string =>
  `${row.level} ${row.sku}: ${row.gross_quantity} - ${row.available_quantity} = ${row.net_quantity} ${row.action}` +
  (row.action === 'BUY' ? ` at ${row.unit_cost} = ${row.cost}` : '')

/**
 * A cart takes 4 wheels and a frame, a wheel takes a rim and 5 bolts, a frame takes 10 bolts and 2.5 of steel, and a rim takes 0.333333 of
 * steel. So bolts are needed on level 1, and steel on levels 1 and 2.
 */
async function cart(): Promise<{ room: Workshop; of: (sku: string) => string; main: string; second: string }> {
  const room = await workshop(bench)
  const [main, second] = [await room.place('Main'), await room.place('Second')]
  const ids = new Map<string, string>()
  const of = (sku: string) => ids.get(sku) ?? ''
  for (const [sku, purchasePrice] of Object.entries({ CART: 9, WHEEL: 9, FRAME: 9, RIM: 9, BOLT: 9, STEEL: 3.333333 }))
    ids.set(sku, await room.variant(sku, { purchase_price: purchasePrice }))
  await room.recipe(of('CART'), [
    [of('WHEEL'), 4],
    [of('FRAME'), 1],
  ])
  await room.recipe(of('WHEEL'), [
    [of('RIM'), 1],
    [of('BOLT'), 5],
  ])
  await room.recipe(of('FRAME'), [
    [of('BOLT'), 10],
    [of('STEEL'), 2.5],
  ])
  await room.recipe(of('RIM'), [[of('STEEL'), 0.333333]])
  await room.adjust([
    { item_variant_id: of('CART'), quantity: 100 },
    { item_variant_id: of('WHEEL'), quantity: 2 },
    { item_variant_id: of('RIM'), quantity: 6 },
    { item_variant_id: of('BOLT'), quantity: 30, unit_cost: 0.1235 },
  ])
  return { room, of, main, second }
}

test('a part that goes into things on two levels is netted once, when all needs of it are known', async t => {
  const { room, of, main, second } = await cart()
  const answer = await ask(room, { item_variant_id: of('CART'), quantity: '3' })
  t.like(answer, { item_variant_id: of('CART'), quantity: 3, storage_place_id: main })
  t.deepEqual(answer.rows.map(line), [
    '1 WHEEL: 12 - 2 = 10 MAKE',
    '1 FRAME: 3 - 0 = 3 MAKE',
    '2 RIM: 10 - 6 = 4 MAKE',
    // 10 wheels of 5 bolts and 3 frames of 10.
    '2 BOLT: 80 - 30 = 50 BUY at 0.1235 = 6.175',
    // 3 frames of 2.5 and 4 rims of 0.333333. 8.833332 * 3.333333 = 29.444437...
    '3 STEEL: 8.833332 - 0 = 8.833332 BUY at 3.333333 = 29.4444',
  ])
  t.deepEqual([answer.is_coverable, answer.max_quantity], [false, 0])

  // Steel for one cart, whose wheels take two of the six rims: 2.5.
  await room.adjust([{ item_variant_id: of('STEEL'), quantity: 5, unit_cost: 0 }])
  const covered = await ask(room, { item_variant_id: of('CART'), quantity: '3' })
  t.deepEqual(
    [covered.is_coverable, covered.max_quantity],
    [false, 1],
    'two take 30 bolts for wheels and 20 for frames',
  )
  t.is(line(covered.rows[4]), '3 STEEL: 8.833332 - 5 = 3.833332 BUY at 0 = 0')
  const one = await ask(room, { item_variant_id: of('CART'), quantity: '1.5' })
  t.deepEqual([one.is_coverable, one.max_quantity], [false, 1])
  const enough = await ask(room, { item_variant_id: of('CART'), quantity: '1' })
  t.deepEqual([enough.is_coverable, enough.max_quantity], [true, 1])
  t.deepEqual(enough.rows.map(line), [
    '1 WHEEL: 4 - 2 = 2 MAKE',
    '1 FRAME: 1 - 0 = 1 MAKE',
    '2 RIM: 2 - 6 = 0 STOCK',
    '2 BOLT: 20 - 30 = 0 STOCK',
    '3 STEEL: 2.5 - 5 = 0 STOCK',
  ])

  const elsewhere = await ask(room, { item_variant_id: of('CART'), quantity: '1', storage_place_id: second })
  t.is(elsewhere.storage_place_id, second)
  t.is(line(elsewhere.rows[2]), '2 RIM: 4 - 0 = 4 MAKE', 'the stock of another place does not count')
})

test('what is reserved or in quarantine does not count, and the recipe that an order would take does', async t => {
  const { room, of, main } = await cart()
  await room.order(of('WHEEL'), 8)
  const plain = await ask(room, { item_variant_id: of('RIM'), quantity: '0.000001' })
  t.deepEqual(plain.rows, [], 'a millionth of it takes nothing that can be counted')
  t.deepEqual([plain.is_coverable, plain.max_quantity], [true, 0])
  const wheels = await ask(room, { item_variant_id: of('WHEEL'), quantity: '1' })
  t.deepEqual(wheels.rows.map(line).slice(0, 2), ['1 RIM: 1 - 0 = 1 MAKE', '1 BOLT: 5 - 0 = 5 BUY at 0.1235 = 0.6175'])
  await room.recipe(of('WHEEL'), [[of('BOLT'), 1]])
  const toQuarantine = { from_storage_place_id: main, to_storage_place_id: main }
  await room.adjust([{ item_variant_id: of('BOLT'), quantity: 20 }])
  await room.transfer({ ...toQuarantine, items: [{ item_variant_id: of('BOLT'), quantity: 4, to_quarantine: true }] })
  const newest = await ask(room, { item_variant_id: of('WHEEL'), quantity: '7' })
  // 50 less 40 reserved and 4 in quarantine.
  t.deepEqual(newest.rows.map(line), ['1 BOLT: 7 - 6 = 1 BUY at 0.1235 = 0.1235'])
  t.is(newest.max_quantity, 6)

  const item = (await room.tenant.done(createRecipe, { item_id: await itemOf(room, of('BOLT')), materials: [] })).id
  t.truthy(item)
  const made = await ask(room, { item_variant_id: of('WHEEL'), quantity: '7' })
  t.is(line(made.rows[0]), '1 BOLT: 7 - 6 = 1 MAKE', "the item's recipe counts for a variant that has none")
  t.true(made.is_coverable)
})

const itemOf = async (room: Workshop, variant: string): Promise<string> =>
  (await room.stock({ item_variant_id: variant }))[0].item_id

test('what cannot be asked is refused with its reason', async t => {
  const { room, of } = await cart()
  const asked = { item_variant_id: of('CART'), quantity: '1' }
  const stranger = await cart()
  t.is(
    await refused(room, { ...asked, item_variant_id: stranger.of('CART') }),
    'validation_failed item_variant_id: no such variant',
  )
  t.is(
    await refused(room, { ...asked, storage_place_id: stranger.main }),
    'validation_failed storage_place_id: no such storage place',
  )
  t.is(
    await refused(room, { ...asked, item_variant_id: of('BOLT') }),
    'validation_failed item_variant_id: BOLT has no recipe',
  )
  for (const quantity of ['0', '-1', '1e-7', '1000000000', '0x1', 'NaN', 'Infinity', '1_0', ' 1'])
    t.regex(await refused(room, { ...asked, quantity }), /^validation_failed quantity: /, quantity)
  t.is((await ask(room, { ...asked, quantity: '2e0' })).quantity, 2)
  t.regex(await refused(room, { quantity: '1' }), /item_variant_id: is required/)
  t.regex(await refused(room, { item_variant_id: of('CART') }), /quantity: is required/)
  t.is(
    await refused(room, { ...asked, quantity: '999999999.999999' }),
    'validation_failed quantity: needs 1000000000 of WHEEL or more',
  )
})

test('stock without a place counts for a tenant without places; where no place manufactures one must be named', async t => {
  const room = await workshop(bench)
  const [whole, part] = [await room.variant('WHOLE'), await room.variant('PART')]
  await room.recipe(whole, [[part, 2]])
  await room.adjust([{ item_variant_id: part, quantity: 5 }])
  const asked = { item_variant_id: whole, quantity: '9' }
  const answer = await ask(room, asked)
  t.like(answer, { storage_place_id: null, is_coverable: false, max_quantity: 2 })
  t.is(answer.rows[0].unit_cost, 0, 'an average of 0 is a cost')
  const place = (await room.tenant.done(createStoragePlace, { title: 'Shop', manufacturing_allowed: false })).id
  t.is(
    await refused(room, asked),
    'validation_failed storage_place_id: is required, since no storage place allows manufacturing',
  )
  const named = await ask(room, { ...asked, storage_place_id: place })
  t.like(named.rows[0], { available_quantity: 0, net_quantity: 18, unit_cost: null, cost: null })
})

test('archived parts count as those of manufacturing orders do', async t => {
  const { room, of } = await cart()
  await room.tenant.done(changeProduct, { archived: true }, { id: await itemOf(room, of('BOLT')) })
  const { rows } = await ask(room, { item_variant_id: of('WHEEL'), quantity: '1' })
  t.is(line(rows[1]), '1 BOLT: 5 - 30 = 0 STOCK')
})

test('recipes that lead in a circle, as only bad data could, and too many variants end in an error', async t => {
  const { room, of } = await cart()
  const recipe = await room.recipe(of('BOLT'), [])
  await bench.pool.query(statement`
    insert into recipe_materials (tenant_id, recipe_id, item_variant_id, quantity)
    values (${room.tenant.id}, ${recipe.id}, ${of('WHEEL')}, 1)`)
  for (const sku of ['CART', 'WHEEL'])
    t.regex(
      await refused(room, { item_variant_id: of(sku), quantity: '1' }),
      /^unprocessable item_variant_id: the recipes lead in a circle, by way of \w+$/,
    )

  const of5001 = sql.fragment`generate_series(1, 5001) n`
  await bench.pool.query(statement`
    with made as (
      insert into item_variants (tenant_id, item_id, title, active, created_at, updated_at)
      select ${room.tenant.id}, ${await itemOf(room, of('RIM'))}, 'Part', true, now(), now() from ${of5001} returning id
    )
    insert into recipe_materials (tenant_id, recipe_id, item_variant_id, quantity)
    select ${room.tenant.id}, (select max(id) from recipes where tenant_id = ${room.tenant.id} and item_variant_id = ${of('RIM')}), id, 1
    from made`)
  t.is(
    await refused(room, { item_variant_id: of('RIM'), quantity: '1' }),
    'unprocessable item_variant_id: the recipes reach more than 5000 variants',
  )
})

/** This quantity for one piece, without scrap. */
const plainShare = (quantity: string) => ({ quantity: parseMicro(quantity), scrap: 0n, output: parseMicro('1') })

type Graph = {
  readonly stock: readonly number[]
  readonly lines: readonly (readonly [from: number, to: number, quantity: number, scrap: number, output: number])[]
}

/** Parts by number: the recipe of a part names only parts with higher numbers. Quantities are in millionths. */
const graph = fc.integer({ min: 2, max: 9 }).chain(size =>
  fc.record({
    stock: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000_000 })), {
      minLength: size,
      maxLength: size,
    }),
    lines: fc.array(
      fc
        .tuple(
          fc.nat(size - 2),
          fc.nat(size - 1),
          fc.oneof(
            fc.integer({ min: 1, max: 4 }).map(n => n * 1_000_000),
            fc.integer({ min: 1, max: 3_000_000 }),
          ),
          fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
          fc.oneof(fc.constant(1_000_000), fc.integer({ min: 1_000_000, max: 7_000_000 })),
        )
        .map(([from, to, ...share]) => [from, from + 1 + (to % (size - from - 1 || 1)), ...share] as const),
      { minLength: 1, maxLength: 20 },
    ),
  }),
)

const componentsOf = ({ stock, lines }: Graph): Component[] => {
  const all = stock.map((available, at): Component => {
    const own = lines
      .filter(([from]) => from === at)
      .map(([, to, quantity, scrap, output]) => ({
        id: `${to + 1}`,
        share: { quantity: BigInt(quantity), scrap: BigInt(scrap), output: BigInt(output) },
      }))
    return {
      id: `${at + 1}`,
      name: `P${at}`,
      available: BigInt(available),
      materials: own.length > 0 || at === 0 ? own : null,
    }
  })
  const reached = new Set(['1'])
  for (const id of reached) for (const { id: part } of all[Number(id) - 1]?.materials ?? []) reached.add(part)
  return all.filter(({ id }) => reached.has(id))
}

/** The definition computed directly: the need of a part is the sum of what the parts that contain it need. */
function reference({ stock, lines }: Graph, quantity: bigint) {
  const known = new Map<number, { gross: bigint; net: bigint; level: number }>()
  const of = (at: number): { gross: bigint; net: bigint; level: number } => {
    const found = known.get(at)
    if (found) return found
    const parents = lines.filter(([from, to]) => to === at && isReached(from))
    const gross =
      at === 0
        ? quantity
        : parents.reduce((sum, [from, , quantity, scrap, output]) => {
            const whole = 1_000_000n * BigInt(output)
            return sum + (of(from).net * BigInt(quantity) * (1_000_000n + BigInt(scrap)) * 2n + whole) / (2n * whole)
          }, 0n)
    const left = at === 0 ? gross : gross - BigInt(stock[at] ?? 0)
    const need = {
      gross,
      net: left > 0n ? left : 0n,
      level: at === 0 ? 0 : Math.max(...parents.map(([from]) => of(from).level)) + 1,
    }
    known.set(at, need)
    return need
  }
  const isReached = (at: number): boolean => at === 0 || lines.some(([from, to]) => to === at && isReached(from))
  const makes = (at: number) => lines.some(([from]) => from === at)
  const parts = stock.map((_, at) => at).filter(at => at > 0 && isReached(at))
  const rows = parts
    .map(at => ({ at, ...of(at) }))
    .filter(({ gross }) => gross > 0n)
    .sort((a, b) => a.level - b.level || a.at - b.at)
    .map(
      ({ at, gross, net, level }) =>
        `${level} ${at + 1} ${formatMicro(gross)} ${formatMicro(net)} ${net === 0n ? 'STOCK' : makes(at) ? 'MAKE' : 'BUY'}`,
    )
  return { rows, isCoverable: rows.every(row => !row.endsWith('BUY')) }
}

test('netting agrees with its definition on any recipes and stock, and no more than max_quantity is coverable', t => {
  const asked = fc.oneof(
    fc.integer({ min: 0, max: 20 }).map(n => n * 1_000_000 + 1),
    fc.integer({ min: 1, max: 12 }).map(n => n * 1_000_000),
  )
  fc.assert(
    fc.property(graph, asked, (given, quantity) => {
      const found = requirementsOf(componentsOf(given), BigInt(quantity))
      if ('refusal' in found) throw new Error(found.message)
      const rows = found.needs.map(
        ({ component, level, gross, net, action }) =>
          `${level} ${component.id} ${formatMicro(gross)} ${formatMicro(net)} ${action}`,
      )
      const expected = reference(given, BigInt(quantity))
      t.deepEqual({ rows, isCoverable: found.isCoverable }, expected)
      let most = 0
      for (let n = 1; n <= Math.floor(quantity / 1_000_000); n++)
        if (reference(given, BigInt(n) * 1_000_000n).isCoverable) most = n
      t.is(found.maxQuantity, BigInt(most))
    }),
    { numRuns: 300 },
  )
})

test('parts that are reached by more ways than can be counted are netted once each', t => {
  const levels = 60
  const components = Array.from({ length: 2 * levels }, (_, at): Component => {
    const next = at - (at % 2) + 2
    const materials =
      next < 2 * levels ? [next, next + 1].map(part => ({ id: `${part + 1}`, share: plainShare('0.5') })) : null
    return { id: `${at + 1}`, name: `P${at}`, available: 0n, materials }
  }).filter(({ id }) => id !== '2')
  const found = requirementsOf(components, parseMicro('8'))
  if ('refusal' in found) throw new Error(found.message)
  t.is(found.needs.length, 2 * levels - 2)
  t.true(found.needs.every(({ gross }) => gross === parseMicro('4')))
  t.is(found.needs.at(-1)?.level, levels - 1)
})

test('what has expired is not available, and shows where it lies', async t => {
  const room = await workshop(bench)
  await room.place('Main')
  const [cake, milk] = [await room.variant('CAKE'), await room.variant('MILK', { batch_tracked: true })]
  await room.recipe(cake, [[milk, 1]])
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const batch = (batch_number: string, quantity: number, expiry_date?: string) => ({
    ...{ item_variant_id: milk, batch_number, quantity },
    ...(expiry_date === undefined ? {} : { expiry_date }),
  })
  await room.adjust([
    batch('OLD', 5, day(-1)),
    batch('LAST-DAY', 3, day(0)),
    batch('FRESH', 2, day(9)),
    batch('EVER', 1),
  ])
  const available = async () => (await ask(room, { sku: 'CAKE', quantity: '10' })).rows[0].available_quantity
  t.is(await available(), 6)
  const expired = (rows: readonly Loose[]) => rows.map(row => [row.batch_number ?? row.number ?? null, row.is_expired])
  const all = [
    ['OLD', true],
    ['LAST-DAY', false],
    ['FRESH', false],
    ['EVER', false],
  ]
  t.deepEqual(expired((await room.stock({ item_variant_id: milk })).filter(row => row.batch_id !== null)), all)
  const batches = await room.tenant.page(listBatches)
  t.deepEqual(expired(batches), all)
  t.true((await room.tenant.read(getBatch, { id: batches[0].id })).is_expired)
})

test('a variant is asked for by id or by sku, and by one of both', async t => {
  const { room, of } = await cart()
  const byId = await ask(room, { item_variant_id: of('CART'), quantity: '3' })
  t.deepEqual(await ask(room, { sku: 'CART', quantity: '3' }), byId)
  t.is(await refused(room, { quantity: '3' }), 'validation_failed item_variant_id: is required, or sku')
  t.is(
    await refused(room, { sku: 'CART', item_variant_id: of('CART'), quantity: '3' }),
    'validation_failed sku: must not stand beside item_variant_id',
  )
  t.is(
    await refused(room, { sku: 'NONE', quantity: '3' }),
    'validation_failed sku: is the sku of no unarchived variant',
  )
})

test('what is to be bought names the preferred supplier item, if it is not archived', async t => {
  const { room, of } = await cart()
  const supplier = (await room.tenant.done(endpointOf('createSupplier'), { title: 'Forge' })).id
  const item = (sku: string, body: Loose = {}) =>
    room.tenant.done(createSupplierItem, { supplier_id: supplier, item_variant_id: of(sku), ...body })
  const steel = await item('STEEL', { is_preferred: true })
  await item('BOLT')
  await item('FRAME', { is_preferred: true })
  const bought = async () =>
    (await ask(room, { item_variant_id: of('CART'), quantity: '3' })).rows.map((row: Loose) => [
      row.sku,
      row.action,
      row.supplier_id,
      row.supplier_item_id,
      row.unit_cost,
    ])
  const rows = [
    ['WHEEL', 'MAKE', null, null, null],
    ['FRAME', 'MAKE', null, null, null],
    ['RIM', 'MAKE', null, null, null],
    ['BOLT', 'BUY', null, null, 0.1235],
  ]
  t.deepEqual(await bought(), [...rows, ['STEEL', 'BUY', supplier, steel.id, 3.333333]])
  await room.tenant.done(changeSupplierItem, { archived: true }, { id: steel.id })
  t.deepEqual(await bought(), [...rows, ['STEEL', 'BUY', null, null, 3.333333]])
})
