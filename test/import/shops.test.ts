/** Exports of shops: both layouts of Shopify and that of WooCommerce become rows of products. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainText } from '../../imports/plain-text.ts'
import { products } from '../../imports/products.ts'
import { faultText } from '../../imports/service.ts'
import { recognisedShop, type ShopFormat } from '../../imports/shops.ts'
import { readRows } from '../../lib/tools/import/rows.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const folder = await mkdtemp(join(tmpdir(), 'millrace-shops-'))
test.after.always(() => rm(folder, { recursive: true }))

let files = 0
async function rowsOf(shop: ShopFormat, lines: readonly string[]): Promise<unknown[]> {
  const path = join(folder, `${++files}.csv`)
  await writeFile(path, lines.join('\r\n'))
  const found: unknown[] = []
  for await (const { line, content } of readRows(path, { format: 'csv', shop, columns: products.columns }))
    found.push([line, 'faults' in content ? faultText(content.faults) : JSON.parse(JSON.stringify(content.body))])
  return found
}

/** The columns of an export of today's layout, and of the one before. */
const TODAY =
  'Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,' +
  'Option1 name,Option1 value,Option1 Linked To,Option2 name,Option2 value,Option2 Linked To,Option3 name,Option3 value,' +
  'Option3 Linked To,Price,Compare-at price,Cost per item,Charge tax,Tax code,Inventory tracker,Inventory quantity,' +
  'Weight value (grams),Product image URL,Image position,Gift card,Color (product.metafields.shopify.color-pattern)'
const BEFORE =
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option1 Linked To,' +
  'Option2 Name,Option2 Value,Option2 Linked To,Option3 Name,Option3 Value,Option3 Linked To,Variant SKU,Variant Grams,' +
  'Variant Inventory Tracker,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,' +
  'Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,' +
  'SEO Description,Variant Image,Variant Weight Unit,Variant Tax Code,Cost per item,Status'

/** A line with these cells under the columns of a header. */
const under = (header: string, cells: Readonly<Record<string, string>>) => {
  const names = header.match(/(?:"[^"]*"|[^,]+)/g)?.map(name => name.replaceAll('"', '')) ?? []
  for (const name of Object.keys(cells)) if (!names.includes(name)) throw new Error(name)
  return names.map(name => `"${(cells[name] ?? '').replaceAll('"', '""')}"`).join(',')
}

const shirt = { external_ref: 'shirt', title: 'Shirt', description: 'Soft & warm\nMade of "wool"', category: 'Shirts' }
const shirts = [
  [2, { ...shirt, ...variant('S', 'Red', 'SH-S', 1.25), barcode: '4006381333931', purchase_price: 0.5 }],
  [3, { external_ref: 'shirt', ...variant('M', 'Red', 'SH-M', 1250) }],
  [5, { external_ref: 'mug', title: 'Mug', sku: 'MUG', price: 9 }],
]

function variant(size: string, color: string, sku: string, price: number) {
  return { variant_title: `${size} / ${color}`, sku, price, attributes: { Size: size, Color: color } }
}

test('an export of Shopify is read in both layouts: options name variants, and rows with pictures alone are passed over', async t => {
  const today = (cells: Readonly<Record<string, string>>) => under(TODAY, cells)
  t.deepEqual(
    await rowsOf('shopify', [
      TODAY,
      today({
        ...{
          Title: 'Shirt',
          'URL handle': 'shirt',
          Description: '<p>Soft &amp; warm</p><p>Made of &quot;wool&quot;</p>',
        },
        ...{ Type: 'Shirts', SKU: 'SH-S', Barcode: "'4006381333931", Price: '1.250', 'Cost per item': '0.50' },
        ...{ 'Option1 name': 'Size', 'Option1 value': 'S', 'Option2 name': 'Color', 'Option2 value': 'Red' },
      }),
      today({ 'URL handle': 'shirt', SKU: 'SH-M', Price: '1250.00', 'Option1 value': 'M', 'Option2 value': 'Red' }),
      today({ 'URL handle': 'shirt', 'Product image URL': 'https://shop.example/2.jpg', 'Image position': '2' }),
      today({
        ...{ Title: 'Mug', 'URL handle': 'mug', 'Option1 name': 'Title', 'Option1 value': 'Default Title' },
        ...{ SKU: 'MUG', Price: '9' },
      }),
    ]),
    shirts,
  )
  const before = (cells: Readonly<Record<string, string>>) => under(BEFORE, cells)
  t.deepEqual(
    await rowsOf('shopify', [
      BEFORE,
      before({
        ...{ Handle: 'shirt', Title: 'Shirt', 'Body (HTML)': '<p>Soft &amp; warm</p><p>Made of "wool"</p>' },
        ...{ 'Product Category': 'Apparel > Shirts', Type: 'Shirts', 'Variant SKU': 'SH-S', 'Variant Price': '1.250' },
        ...{ 'Variant Barcode': "'4006381333931", 'Cost per item': '0.50' },
        ...{ 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Option2 Name': 'Color', 'Option2 Value': 'Red' },
      }),
      before({
        ...{ Handle: 'shirt', 'Variant SKU': 'SH-M', 'Variant Price': '1250' },
        ...{ 'Option1 Value': 'M', 'Option2 Value': 'Red' },
      }),
      before({ Handle: 'shirt', 'Image Src': 'https://shop.example/2.jpg', 'Image Position': '2' }),
      before({
        ...{ Handle: 'mug', Title: 'Mug', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' },
        ...{ 'Variant SKU': 'MUG', 'Variant Price': '9' },
      }),
    ]),
    shirts,
  )
})

const WOO =
  'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,"Is featured?","Visibility in catalog","Short description",' +
  'Description,"Date sale price starts","Date sale price ends","Tax status","Tax class","In stock?",Stock,' +
  '"Sale price","Regular price",Categories,Tags,Images,Parent,"Grouped products",Upsells,Cross-sells,Position,' +
  '"Attribute 1 name","Attribute 1 value(s)","Attribute 1 visible","Attribute 1 global","Attribute 2 name",' +
  '"Attribute 2 value(s)","Attribute 2 visible","Attribute 2 global","Meta: _cost"'

test('an export of WooCommerce is read: variations belong to their parent, wherever its row stands', async t => {
  const line = (cells: Readonly<Record<string, string>>) => under(WOO, cells)
  const tee = { external_ref: '44', title: 'Tee', description: 'A tee\nof cotton', category: 'Clothing > Tees' }
  t.deepEqual(
    await rowsOf('woocommerce', [
      WOO,
      line({
        ...{ ID: '61', Type: 'variation', SKU: 'TEE-R', Name: 'Tee - Red', Parent: 'id:44', 'Regular price': '18,5' },
        ...{ 'Attribute 1 name': 'Color', 'Attribute 1 value(s)': 'Red' },
      }),
      line({
        ...{ ID: '44', Type: 'variable', SKU: 'TEE', Name: 'Tee', Description: 'A tee\\nof <b>cotton</b>' },
        ...{ Categories: 'Clothing > Tees, Sale', 'Attribute 1 name': 'Color', 'Attribute 1 value(s)': 'Red, Blue' },
      }),
      line({
        ...{ ID: '62', Type: 'variation', SKU: "'-BLUE", Name: 'Tee - Blue', Parent: 'TEE', 'Regular price': '20' },
        ...{ 'Attribute 1 name': 'Color', 'Attribute 1 value(s)': 'Blue', 'GTIN, UPC, EAN, or ISBN': '4006381333931' },
      }),
      line({ ID: '70', Type: 'simple, virtual', SKU: 'CARD', Name: 'Card', 'Short description': 'Paper' }),
      line({ ID: '71', Type: 'grouped', Name: 'All of it', 'Grouped products': 'TEE, CARD' }),
      line({ ID: '72', Type: 'variable', SKU: 'LONE', Name: 'Without variations' }),
    ]),
    [
      [
        2,
        {
          ...{ ...tee, variant_external_ref: '61', variant_title: 'Red', sku: 'TEE-R', price: 18.5 },
          attributes: { Color: 'Red' },
        },
      ],
      [
        4,
        {
          ...{ ...tee, variant_external_ref: '62', variant_title: 'Blue', sku: '-BLUE', price: 20 },
          ...{ barcode: '4006381333931', attributes: { Color: 'Blue' } },
        },
      ],
      [5, { external_ref: '70', title: 'Card', description: 'Paper', sku: 'CARD' }],
      [7, { external_ref: '72', title: 'Without variations', sku: 'LONE' }],
    ],
  )
})

test('a header that is not the English one of the shop is refused, and the numbers of WooCommerce are asked about', async t => {
  await t.throwsAsync(rowsOf('shopify', ['Titel,URL-Handle', 'Oak,oak']), {
    message: 'line 1: the column Handle or URL handle is missing',
  })
  await t.throwsAsync(rowsOf('shopify', ['Handle,Titel', 'oak,Oak']), {
    message: 'line 1: the column Title is missing',
  })
  await t.throwsAsync(rowsOf('woocommerce', ['ID,Typ,Name', '1,simple,Oak']), {
    message: 'line 1: the column Type is missing',
  })
  await t.throwsAsync(rowsOf('woocommerce', ['ID,Type,Name,Regular price', '1,simple,Oak,1.250']), {
    message: /^line 2: price: "1.250" is 1250 with a decimal comma/,
  })
  t.deepEqual(
    [TODAY, BEFORE, WOO, 'title,handle,sku,price', 'title,sku,type'].map(header => recognisedShop(header.split(','))),
    ['shopify', 'shopify', null, null, null],
  )
  t.is(recognisedShop(['ID', 'Type', 'SKU', 'Name', 'Regular price']), 'woocommerce')
})

test('texts of HTML become lines of words', t => {
  t.is(
    plainText('<div class="x">A<br/>B</div>\n\n\n<ul><li>C&nbsp;&lt;1&gt;</li><li>&#68;&#x45;</li></ul>'),
    'A\nB\n\nC <1>\nDE',
  )
  t.is(plainText('2 < 3 & 4 > 1 &unknown; &#0;'), '2 < 3 & 4 > 1 &unknown; &#0;')
})
