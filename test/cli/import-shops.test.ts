/** Exports of shops, columns with the tenant's own names, and several rows for one record, through `bin/millrace import`. */
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'
import { counts, fine, importsInto } from './imports-into.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()
const imported = await importsInto(service, test)

const shownOf = ({ title, category, description, variants }: Loose) => [
  ...[title, category, description],
  variants.map(({ title, sku, price, barcodes, external_ref: ref, attributes }: Loose) => [
    ...[title, sku, price, barcodes, ref, attributes],
  ]),
]

const shopify = (price: string, more: readonly string[] = []) => [
  'Handle,Title,Body (HTML),Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Barcode,Cost per item,Image Src',
  `mug,Mug,<p>For tea</p>,Cups,Size,Small,M-S,${price},'4006381333931,2.125,a.jpg`,
  'mug,,,,,Large,M-L,7.00,,,',
  'mug,,,,,,,,,,b.jpg',
  'jug,Jug,,,Title,Default Title,JUG,9,,,',
  ...more,
]

// One after the other: at once they would open as many connections, each of which plans all statements.
test("Shopify's export makes products, and its next one changes them: decimals have a point", async t => {
  const client = await service.tenant()
  // Three digits after the decimal point, which are refused in a file of any other kind.
  t.like(counts(await imported(client, shopify('1.250'), '--format', 'shopify')), fine(3, 0, 0))
  const mug = async () => shownOf((await client.get('/products/by-ref/mug')).body)
  const large = ['Large', 'M-L', 7, [], null, { Size: 'Large' }]
  t.deepEqual(await mug(), [
    ...['Mug', 'Cups', 'For tea'],
    [['Small', 'M-S', 1.25, ['4006381333931'], null, { Size: 'Small' }], large],
  ])
  t.deepEqual(shownOf((await client.get('/products/by-ref/jug')).body)[3], [['Jug', 'JUG', 9, [], null, {}]])
  t.like(counts(await imported(client, shopify('1.250'), '--format', 'shopify')), fine(0, 0, 3))
  const next = shopify('1.5', ['cup,Cup,,,Title,Default Title,CUP,3,,,'])
  t.like(counts(await imported(client, next, '--format', 'shopify', '--update')), fine(1, 1, 2))
  t.deepEqual((await mug())[3], [['Small', 'M-S', 1.5, ['4006381333931'], null, { Size: 'Small' }], large])

  const today = [
    'Title,URL handle,Description,Type,SKU,Option1 name,Option1 value,Price',
    'Mug,mug,For tea,Cups,M-S,Size,Small,2',
    ',mug,,,M-H,,Huge,12',
  ]
  t.like(counts(await imported(client, today, '--format', 'shopify', '--update')), fine(1, 1, 0))
  t.deepEqual(
    (await mug())[3].map(([title, sku, price]: Loose) => [title, sku, price]),
    [
      ['Small', 'M-S', 2],
      ['Large', 'M-L', 7],
      ['Huge', 'M-H', 12],
    ],
  )
  for (const [args, text] of [
    [['--format', 'shopify', '--decimal', 'comma'], /always have a point/],
    [['--format', 'shopify', '--kind', 'customers'], /--format shopify is for CSV files of products/],
    [['--format', 'ebay'], /--format must be one of shopify, woocommerce/],
  ] as const) {
    const refused = await imported(client, today, ...args)
    t.is(refused.status, 2)
    t.regex(refused.err, text)
  }
})

test("WooCommerce's export makes variable products of its variations, which stand apart", async t => {
  const client = await service.tenant()
  const woo = (price: string) => [
    'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Description,Regular price,Categories,Parent,Attribute 1 name,Attribute 1 value(s)',
    '44,variable,TEE,,Tee,Of cotton,,Clothing > Tees,,Color,"Red, Blue"',
    '50,simple,CARD,4006381333931,Card,,"1,50",,,,',
    `60,variation,TEE-R,,Tee - Red,,"${price}",,id:44,Color,Red`,
    '51,simple,BAG,,Bag,,3,,,,',
    '61,variation,,,Tee - Blue,,20,,TEE,Color,Blue',
  ]
  t.like(counts(await imported(client, woo('18,5'), '--format', 'woocommerce')), fine(4, 0, 0))
  t.like(counts(await imported(client, woo('19,5'), '--format', 'woocommerce', '--update')), fine(0, 1, 3))
  t.deepEqual(shownOf((await client.get('/products/by-ref/44')).body), [
    ...['Tee', 'Clothing > Tees', 'Of cotton'],
    [
      ['Red', 'TEE-R', 19.5, [], '60', { Color: 'Red' }],
      ['Blue', null, 20, [], '61', { Color: 'Blue' }],
    ],
  ])
  const unclear = await imported(client, woo('1,250'), '--format', 'woocommerce')
  t.regex(unclear.err, /line 4: price: "1,250" is 1.250 with a decimal comma, and 1250 with a decimal point/)
})

test('barcodes, metadata and attributes have columns, and a change keeps those that the file lacks', async t => {
  const client = await service.tenant()
  const lines = [
    'sku,title,barcodes,metadata.Shelf,attributes.Wood,variant_metadata.cut.by,external_ref,variant_external_ref',
    'OAK,Oak,"4006381333931, X-1",A 7,oak,Ann,p-1,v-1',
  ]
  t.like(counts(await imported(client, lines)), fine(1, 0, 0))
  t.like(counts(await imported(client, lines, '--update')), fine(0, 0, 1))
  const read = async () => {
    const { metadata, variants } = (await client.get('/products/by-ref/p-1')).body
    return [
      metadata,
      variants.map(({ sku, barcodes, attributes, metadata }: Loose) => ({ sku, barcodes, attributes, metadata })),
    ]
  }
  const variant = {
    sku: 'OAK',
    barcodes: ['4006381333931', 'X-1'],
    attributes: { Wood: 'oak' },
    metadata: { 'cut.by': 'Ann' },
  }
  t.deepEqual(await read(), [{ Shelf: 'A 7' }, [variant]])
  const more = ['external_ref,variant_external_ref,sku,barcodes,metadata.Row,attributes.Size', 'p-1,v-1,OAK-2,X-2,3,L']
  t.like(counts(await imported(client, more, '--update')), fine(0, 1, 0))
  t.deepEqual(await read(), [
    { Shelf: 'A 7', Row: '3' },
    [{ ...variant, sku: 'OAK-2', barcodes: ['X-2'], attributes: { Wood: 'oak', Size: 'L' } }],
  ])
  const customers = ['title,metadata.Segment', 'Inn,Hotels']
  t.like(counts(await imported(client, customers, '--kind', 'customers')), fine(1, 0, 0))
  t.deepEqual((await client.get('/customers')).body.data[0].metadata, { Segment: 'Hotels' })
})

test('a refused variant leaves the others of its product alone, and a sku that is not there is a new one', async t => {
  const client = await service.tenant()
  await client.post('/products', { title: 'There', sku: 'TAKEN' })
  const lines = [
    'external_ref,title,variant_title,sku,price',
    'mug,Mug,S,M-S,1',
    'mug,,M,TAKEN,2',
    'mug,,L,M-L,-1',
    'mug,,XL,M-XL,4',
    'mug,Bowl,XXL,M-XXL,5',
  ]
  const report = await imported(client, lines)
  t.deepEqual([report.created, report.failed], [2, 3])
  t.regex(report.errors[0].message, /^sku: "TAKEN" is taken by/)
  t.deepEqual(report.errors.slice(1), [
    { line: 4, message: 'price: must be 0 or more' },
    { line: 6, message: 'title: is another one than on line 2, of the same product' },
  ])
  const skus = async () => (await client.get('/products/by-ref/mug')).body.variants.map(({ sku }: Loose) => sku)
  t.deepEqual(await skus(), ['M-S', 'M-XL'])
  // The title S is there, its sku is not.
  const other = ['external_ref,variant_title,sku,price', 'mug,S,M-S2,1', 'mug,XL,M-XL,-4', 'mug,,M-S,9']
  const second = await imported(client, other, '--update')
  t.deepEqual([second.created, second.changed, second.failed], [1, 1, 1], JSON.stringify(second))
  t.deepEqual(second.errors, [{ line: 3, message: 'price: must be 0 or more' }])
  t.deepEqual(await skus(), ['M-S', 'M-XL', 'M-S2'])
  // A sku of another product refuses all rows, and none is called unchanged.
  const foreign = ['external_ref,title,variant_title,sku', 'new,New,A,M-S', 'new,,B,N-B']
  const third = await imported(client, foreign, '--update')
  t.deepEqual(counts(third), {
    ...{ created: 0, changed: 0, already_there: 0, failed: 2 },
    errors: [
      { line: 2, message: third.errors[0].message },
      { line: 3, message: 'the product is refused: see line 2' },
    ],
  })
  t.regex(third.errors[0].message, /^sku: is that of product \d+, whose external_ref is "mug"$/)
})

test('more variants than a request takes go in, in the order of the file', async t => {
  const client = await service.tenant()
  const rows = Array.from({ length: 250 }, (_, at) => `p,P,V${at},S-${at},${at}`)
  const lines = ['external_ref,title,variant_title,sku,price', ...rows]
  t.like(counts(await imported(client, lines)), fine(250, 0, 0))
  const { variants } = (await client.get('/products/by-ref/p')).body
  t.deepEqual(
    variants.map(({ sku, price }: Loose) => [sku, price]),
    Array.from({ length: 250 }, (_, at) => [`S-${at}`, at]),
  )
  t.like(counts(await imported(client, lines)), fine(0, 0, 250))
  t.like(counts(await imported(client, lines, '--update')), fine(0, 0, 250))
})

test('of forty variants with two preferred suppliers each, the last row of the file stays preferred', async t => {
  const client = await service.tenant()
  for (const ref of ['a', 'b']) await client.post('/suppliers', { title: ref, external_ref: ref })
  const skus = Array.from({ length: 40 }, (_, at) => `S-${at}`)
  await imported(client, ['title,sku', ...skus.map(sku => `${sku},${sku}`)])
  // Of every other variant the supplier a comes last.
  const rows = skus.flatMap((sku, at) => (at % 2 === 0 ? ['b', 'a'] : ['a', 'b']).map(ref => `${ref},${sku},true`))
  const lines = ['supplier_ref,sku,is_preferred', ...rows]
  const preferred = async () => {
    const { data } = (await client.get('/supplier-items?limit=200')).body
    const { data: suppliers } = (await client.get('/suppliers')).body
    const { data: products } = (await client.get('/products?limit=200')).body
    const refOf = Object.fromEntries(suppliers.map(({ id, external_ref: ref }: Loose) => [id, ref]))
    const skuOf = Object.fromEntries(products.map(({ variants: [{ id, sku }] }: Loose) => [id, sku]))
    return Object.fromEntries(
      data
        .filter((item: Loose) => item.is_preferred)
        .map((item: Loose) => [skuOf[item.item_variant_id], refOf[item.supplier_id]]),
    )
  }
  t.like(counts(await imported(client, lines, '--kind', 'supplier-items')), fine(80, 0, 0))
  t.deepEqual(await preferred(), Object.fromEntries(skus.map((sku, at) => [sku, at % 2 === 0 ? 'a' : 'b'])))
  const turned = [lines[0] ?? '', ...rows.reverse()]
  t.is((await imported(client, turned, '--kind', 'supplier-items', '--update')).failed, 0)
  t.deepEqual(await preferred(), Object.fromEntries(skus.map((sku, at) => [sku, at % 2 === 0 ? 'b' : 'a'])))
})
