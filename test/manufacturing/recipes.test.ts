/** The guarantees of recipes: what they answer, keep and refuse, and that no variant contains itself. */
import * as v from 'valibot'
import { createProduct } from '../../lib/domain/catalogue/commands.ts'
import { changeOperation } from '../../lib/domain/manufacturing/operations/commands.ts'
import { changeRecipe, createRecipe } from '../../lib/domain/manufacturing/recipes/commands.ts'
import { getRecipe, listRecipes } from '../../lib/domain/manufacturing/recipes/endpoints.ts'
import { Recipe } from '../../lib/domain/manufacturing/recipes/noun.ts'
import { replyOf } from '../../lib/kit/documents/reply.ts'
import { benchOfFile } from '../support/of-file.ts'
import { columns, itemLine } from '../support/records.ts'
import { testsOf } from '../support/suite.ts'
import { workshop } from './workshop.ts'

const test = testsOf(import.meta)

const bench = await benchOfFile()

test('a recipe answers its lines in the order sent, which its GET and the list repeat', async t => {
  const { tenant, variant, operation } = await workshop(bench)
  const [table, board, leg] = [await variant('TABLE'), await variant('BOARD'), await variant('LEG')]
  const [saw, glue] = [await operation('Sawing', 36.5, { position: 10 }), await operation('Gluing', 20)]
  const recipe = await tenant.done(createRecipe, {
    item_variant_id: table,
    external_ref: 'bom-1',
    materials: [itemLine(leg, 4), itemLine(board, 0.333333, { notes: 'Oak' }), itemLine(leg, 1, { notes: 'Spare' })],
    operations: [
      { operation_id: glue, duration: 0.25, position: 7, cost_per_hour: 19, operation_type: 'MAKE_TO_ORDER' },
      { operation_id: saw, duration: 1.5, notes: 'Mind the grain' },
    ],
  })
  t.is(v.safeParse(replyOf(Recipe), recipe).issues, undefined)
  t.like(recipe, { item_variant_id: table, item_title: 'Item TABLE', item_variant_title: 'Item TABLE', sku: 'TABLE' })
  t.deepEqual(columns(recipe.materials, 'sku', 'quantity', 'notes'), [
    ['LEG', 4, null],
    ['BOARD', 0.333333, 'Oak'],
    ['LEG', 1, 'Spare'],
  ])
  const step = ['operation_title', 'operation_type', 'position', 'duration', 'cost_per_hour', 'notes']
  const steps = [
    ['Gluing', 'MAKE_TO_ORDER', 7, 0.25, 19, null],
    ['Sawing', null, 10, 1.5, 36.5, 'Mind the grain'],
  ]
  t.deepEqual(columns(recipe.operations, ...step), steps)

  // The cost is that of the time when the recipe was written. The title is the operation's current one.
  await tenant.done(changeOperation, { cost_per_hour: 99, title: 'Cutting' }, { id: saw })
  const read = await tenant.read(getRecipe, { id: recipe.id })
  t.deepEqual(columns(read.operations, 'operation_title', 'cost_per_hour'), [
    ['Gluing', 19],
    ['Cutting', 36.5],
  ])
  const filters = [{ item_variant_id: table }, { item_id: recipe.item_id }, { external_ref: 'bom-1' }]
  for (const filter of filters) t.deepEqual(await tenant.page(listRecipes, { filters: filter }), [read])
  t.deepEqual(await tenant.page(listRecipes, { filters: { item_variant_id: board } }), [])
})

test("an item's recipe names no variant", async t => {
  const { tenant, variant } = await workshop(bench)
  const item = await tenant.done(createProduct, { title: 'Chair', variants: [{ sku: 'RED' }, { sku: 'BLUE' }] })
  const materials = [itemLine(await variant('LEG'), 4)]
  const recipe = await tenant.done(createRecipe, { item_id: item.id, materials })
  t.like(recipe, { item_id: item.id, item_variant_id: null, item_variant_title: null, sku: null, item_title: 'Chair' })
  t.deepEqual(recipe.operations, [])
})

test('a change replaces the arrays that it names and no other', async t => {
  const { tenant, variant, operation, recipe } = await workshop(bench)
  const [table, leg, board] = [await variant('TABLE'), await variant('LEG'), await variant('BOARD')]
  const made = await recipe(table, [[leg, 4]], [[await operation('Sawing', 30), 1]])
  const change = (body: object) => tenant.done(changeRecipe, body, { id: made.id })
  for (const same of [{}, { external_ref: made.external_ref }])
    t.deepEqual(await tenant.run(changeRecipe, same, { id: made.id }), { body: made, events: [] })
  tenant.now = '2026-11-21T06:00:00.000Z'
  const materials = [itemLine(board, 2)]
  const { body: bigger, events } = await tenant.run(changeRecipe, { materials }, { id: made.id })
  const previous = { materials: made.materials, updated_at: made.updated_at }
  t.deepEqual(events, [{ type: 'recipe.updated', data: bigger, previous }])
  t.deepEqual(columns(bigger.materials, 'sku', 'quantity'), [['BOARD', 2]])
  t.deepEqual(bigger.operations, made.operations)
  const bare = await change({ operations: [], external_ref: 'x' })
  t.like(bare, { operations: [], external_ref: 'x', materials: bigger.materials })
  t.like(await change({ external_ref: null }), { external_ref: null, materials: bigger.materials })
  t.deepEqual(await tenant.read(getRecipe, { id: made.id }), await change({}))
})

test('what a recipe refuses', async t => {
  const { tenant, variant, operation } = await workshop(bench)
  const [table, leg, saw] = [await variant('TABLE'), await variant('LEG'), await operation('Sawing', 30)]
  const service = await variant('CARE', { type: 'SERVICE' })
  const foreign = await (await workshop(bench)).variant('FOREIGN')
  const material = itemLine(leg, 1)
  const valid = { item_variant_id: table, materials: [material] }
  const { id: holder } = await tenant.done(createRecipe, { ...valid, external_ref: 'taken' })
  const cases: [object, string][] = [
    [{ materials: [material] }, 'item_variant_id: give exactly one of item_variant_id and item_id'],
    [{ ...valid, item_id: '1' }, 'item_variant_id: give exactly one of item_variant_id and item_id'],
    [{ item_variant_id: table }, 'materials: '],
    [{ ...valid, item_variant_id: foreign }, 'item_variant_id: no such variant'],
    [{ item_id: foreign, materials: [] }, 'item_id: no such item'],
    [{ ...valid, item_variant_id: service }, 'item_variant_id: CARE is a service'],
    [
      { ...valid, materials: [material, { ...material, quantity: 0 }] },
      'materials[1].quantity: must be greater than 0',
    ],
    [
      { ...valid, materials: [{ ...material, item_variant_id: foreign }] },
      'materials[0].item_variant_id: no such variant',
    ],
    [
      { ...valid, materials: [{ ...material, item_variant_id: service }] },
      'materials[0].item_variant_id: CARE is a service',
    ],
    [{ ...valid, operations: [{ operation_id: table, duration: 1 }] }, 'operations[0].operation_id: no such operation'],
    [{ ...valid, operations: [{ operation_id: saw, duration: -1 }] }, 'operations[0].duration: must be 0 or more'],
    [{ ...valid, operations: [{ operation_id: saw }] }, 'operations[0].duration: '],
    [{ ...valid, operations: null }, 'operations: must not be null'],
    [{ ...valid, external_ref: 'taken' }, `external_ref: is taken by ${holder}`],
    [
      { ...valid, materials: [{ ...material, item_variant_id: table }] },
      'materials[0].item_variant_id: TABLE would contain itself',
    ],
  ]
  for (const [body, expected] of cases) {
    const refusal = await tenant.refusal(createRecipe, body)
    t.true(refusal.startsWith(`validation_failed ${expected}`), `${refusal} does not begin with ${expected}`)
  }
  t.is((await tenant.page(listRecipes)).length, 1)
})

test('a variant that would contain itself at any depth is refused, by creation and by change', async t => {
  const { tenant, variant, recipe } = await workshop(bench)
  const [a, b, c, d] = [await variant('A'), await variant('B'), await variant('C'), await variant('D')]
  await recipe(a, [[b, 1]])
  await recipe(b, [[c, 1]])
  const refused = await tenant.refusal(createRecipe, {
    item_variant_id: c,
    materials: [itemLine(d, 1), itemLine(a, 1)],
  })
  t.is(refused, "validation_failed materials: C would contain itself, through its parts' recipes")
  const fine = await recipe(c, [[d, 1]])
  const circle = { materials: [itemLine(a, 1)] }
  t.true((await tenant.refusal(changeRecipe, circle, { id: fine.id })).includes('C would contain itself'))
  // Only the newest recipe of each variant counts: B is no longer made of C, so C may be made of A.
  await recipe(b, [[d, 1]])
  t.is(await tenant.refusal(changeRecipe, circle, { id: fine.id }), 'done')
})

test('a recipe that is not the newest may say what it likes', async t => {
  const { tenant, variant, recipe } = await workshop(bench)
  const [a, b, c] = [await variant('A'), await variant('B'), await variant('C')]
  const old = await recipe(a, [[c, 1]])
  await recipe(a, [[c, 2]])
  await recipe(b, [[a, 1]])
  const circle = { materials: [itemLine(b, 1)] }
  t.is(await tenant.refusal(changeRecipe, circle, { id: old.id }), 'done')
})

test("an item's recipe counts for each of its variants that has none of its own", async t => {
  const { tenant, variant, recipe } = await workshop(bench)
  const chair = await tenant.done(createProduct, { title: 'Chair', variants: [{ sku: 'RED' }, { sku: 'BLUE' }] })
  const [red, blue] = chair.variants.map((one: { id: string }) => one.id)
  const leg = await variant('LEG')
  const ofItem = (material: string) => ({ item_id: chair.id, materials: [itemLine(material, 1)] })
  t.true((await tenant.refusal(createRecipe, ofItem(blue))).endsWith('BLUE would contain itself'))
  await recipe(leg, [[blue, 1]])
  t.true((await tenant.refusal(createRecipe, ofItem(leg))).includes('BLUE would contain itself'))
  // BLUE has a recipe of its own, so it is not made by the item's. RED is made by the item's recipe, which takes BLUE.
  await recipe(blue, [[await variant('WOOD'), 1]])
  t.is(await tenant.refusal(createRecipe, ofItem(leg)), 'done')
  t.true((await tenant.refusal(createRecipe, ofItem(red))).includes('RED would contain itself'))
})

test('five levels and 2,000 lines are checked for cycles, each variant looked at once', async t => {
  const { tenant, variant, recipe } = await workshop(bench)
  // Every variant of a level is made of all 20 of the next: there are 20^5 paths down, which must not be followed one by one.
  const levels: string[][] = []
  for (let level = 0; level < 6; level++) {
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push(await variant(`L${level}-${n}`))
    levels.push(ids)
  }
  for (let level = 4; level >= 0; level--) {
    for (const made of levels[level] ?? [])
      await recipe(
        made,
        (levels[level + 1] ?? []).map(id => [id, 1]),
      )
  }
  const [top = '', bottom = ''] = [levels[0]?.[0], levels[5]?.[19]]
  const began = performance.now()
  const body = { item_variant_id: bottom, materials: [itemLine(top, 1)] }
  t.true((await tenant.refusal(createRecipe, body)).includes('L5-19 would contain itself'))
  const took = performance.now() - began
  t.log(`${took.toFixed(0)} ms`)
  // Following each path would take hours.
  t.true(took < 60_000)
})
