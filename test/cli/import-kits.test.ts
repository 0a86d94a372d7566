/** Imports of kits: rows that repeat a kit are its components, in the command line and in the portal. */
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'
import { counts, fine, importsInto } from './imports-into.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const imported = await importsInto(service, test)

/** The kits, each with its components. */
const kitsOf = async (client: Client) =>
  Object.fromEntries(
    (await client.get('/products?type=KIT&order=asc')).body.data.flatMap(({ variants }: Loose) =>
      variants.map(({ sku, components }: Loose) => [
        sku,
        components.map(({ sku: part, quantity }: Loose) => `${quantity} ${part}`).join(', '),
      ]),
    ),
  )

const file = [
  'title,type,sku,price,component_sku,component_quantity',
  'Cup,,CUP,3,,',
  'Tea,MATERIAL,TEA,,,',
  'Tea set,KIT,SET,20,CUP,2',
  ',,SET,,TEA,0.5',
  'Cup alone,KIT,ONE,4,CUP,1',
]

test('rows that repeat the sku of a kit are its components; again nothing is made', async t => {
  const client = await service.tenant()
  t.like(counts(await imported(client, file)), fine(5, 0, 0))
  t.deepEqual(await kitsOf(client), { SET: '2 CUP, 0.5 TEA', ONE: '1 CUP' })
  t.like(counts(await imported(client, file)), fine(0, 0, 5))
  t.like(counts(await imported(client, file, '--update')), fine(0, 0, 5))
  // The change replaces the components of the kits that the file names. The kits' other fields stay.
  const changed = ['sku,component_sku,component_quantity', 'SET,TEA,0.75', 'SET,CUP,2', 'ONE,CUP,1.0']
  t.like(counts(await imported(client, changed, '--update')), fine(0, 2, 1))
  t.deepEqual(await kitsOf(client), { SET: '0.75 TEA, 2 CUP', ONE: '1 CUP' })
  const other = await imported(client, ['title,sku,component_sku,component_quantity', 'Cup alone,ONE,CUP,3'])
  t.is(other.failed, 1)
  t.deepEqual(await kitsOf(client), { SET: '0.75 TEA, 2 CUP', ONE: '1 CUP' })
})

test('a kit with several variants has rows for each, and JSON lines name components as the API does', async t => {
  const client = await service.tenant()
  await imported(client, file.slice(0, 3))
  const variants = [
    'external_ref,title,type,variant_title,sku,component_sku,component_quantity',
    'set,Tea set,KIT,Small,S,CUP,1',
    'set,,,Small,S,TEA,0.1',
    'set,,,Large,L,CUP,4',
    'set,,,Large,L,TEA,0.4',
  ]
  t.like(counts(await imported(client, variants)), fine(4, 0, 0))
  t.deepEqual(await kitsOf(client), { S: '1 CUP, 0.1 TEA', L: '4 CUP, 0.4 TEA' })
  t.like(counts(await imported(client, variants, '--update')), fine(0, 0, 4))
  const kit = { title: 'Pair', type: 'KIT', sku: 'TWO', components: [{ sku: 'CUP', quantity: 2 }] }
  t.like(counts(await imported(client, [JSON.stringify(kit)])), fine(1, 0, 0))
  t.like(counts(await imported(client, [JSON.stringify(kit)], '--update')), fine(0, 0, 1))
})

test('a refusal names the row and the column of the component, and the kit is not made', async t => {
  const client = await service.tenant()
  const { status, failed, errors } = await imported(client, [
    ...file.slice(0, 3),
    'Tea set,KIT,SET,20,CUP,2',
    ',,SET,,NONE,0.5',
    ',,SET,,TEA,1',
    'Bad,KIT,BAD,1,CUP,-1',
    'Twice,KIT,TWICE,1,CUP,1',
    ',,TWICE,,CUP,1',
    'Half,KIT,HALF,1,,3',
    'None,KIT,NIL,1,,',
    'Cup,PRODUCT,PLAIN,1,CUP,1',
    'Much,KIT,MUCH,1,CUP,many',
  ])
  t.is(status, 1)
  t.deepEqual(
    errors.map(({ line, message }: Loose) => `${line} ${message}`),
    [
      '4 the product is refused: see line 5',
      '5 component_sku: is the sku of no unarchived variant',
      '6 the product is refused: see line 5',
      '7 component_quantity: must be greater than 0',
      '8 the product is refused: see line 9',
      '9 component_sku: CUP appears twice in the kit TWICE',
      '10 component_sku: is required, or sku',
      '11 components: is required: NIL is a kit, and must have at least 1 component',
      '12 component_sku: is only for a product of type KIT',
      '13 component_quantity: "many" is no number',
    ],
  )
  t.is(failed, 10)
  t.deepEqual(await kitsOf(client), {})
})
