/** What a product is, and its variants (docs/rules/catalogue.md). */
import * as v from 'valibot'
import { code as codeLeaf, identifier as identifierLeaf, someIds } from '../../kit/api/fields.ts'
import { amongThe, changes, filtersOf, flagged, oneText, uniqueText } from '../../kit/api/list-filters.ts'
import { explained } from '../../kit/api/reply-fields.ts'
import { arrayOf } from '../../kit/api/same.ts'
import { searchIn } from '../../kit/api/search-filter.ts'
import { fieldOf, lineOf, lines, type RecordOf } from '../../kit/documents/document.ts'
import { noun } from '../../kit/documents/noun.ts'
import type { ChangeOf, CreateOf, KeptLineOf } from '../../kit/fields/bodies.ts'
import {
  choice,
  code,
  flag,
  identifier,
  identifierList,
  instant,
  key,
  longText,
  metadata,
  price,
  quantity,
  reference,
  text,
  textMap,
  whole,
} from '../../kit/fields/kinds.ts'
import { recordFields } from '../../kit/fields/record-fields.ts'
import { type Fragment, sql } from '../../platform/postgres/postgres.ts'
import { readFromRows } from '../../platform/postgres/read-from-rows.ts'
import { BARCODES_MAX, barcodeKey } from './barcode-rules.ts'
import { kitFields } from './kits/fields.ts'
import { Unit } from './units/document.ts'

const productTypes = {
  PRODUCT: 'made or bought, and sold',
  MATERIAL: 'goes into what is made',
  SERVICE: 'holds no stock: on orders it is counted without movements',
  KIT: 'holds no stock: the components of its variants leave instead',
} as const

/** Ten years in days. */
export const LEAD_TIME_DAYS_MAX = 3_650

export const Variant = lineOf({
  table: 'item_variants',
  parent: 'item_id',
  noun: 'variant',
  fields: {
    id: key(),
    item_id: reference().words('the product'),
    title: text().decided().writable(),
    sku: code().words("stock keeping unit; unique among the tenant's unarchived variants").orNull().writable(),
    barcode: identifier()
      .words('what scanners read: the first of `barcodes`; naming it replaces the first, null takes it out')
      .orNull()
      .decided()
      .writable(),
    barcodes: identifierList({ max: BARCODES_MAX, keyOf: barcodeKey })
      .words('all that scanners read, as it was sent; none of them twice, a GTIN also not with other zeros before it')
      .decided()
      .writable(),
    price: price().words("what a unit is sold for, without tax, in the tenant's currency").orNull().writable(),
    purchase_price: price().words("what a unit usually costs, in the tenant's currency").orNull().writable(),
    minimum_stock: quantity({ min: '0' })
      .words('what should always be there: see `GET /shortages`')
      .orNull()
      .writable(),
    lead_time_days: whole(0, LEAD_TIME_DAYS_MAX)
      .words(
        "days until it is there once it is ordered or made; of what is bought, its preferred supplier's item comes first",
      )
      .orNull()
      .writable(),
    minimum_order_quantity: quantity({ moreThan: '0' })
      .words('never less is ordered or made at once')
      .orNull()
      .writable(),
    order_multiple: quantity({ moreThan: '0' }).words('only multiples of it are ordered or made').orNull().writable(),
    ...kitFields,
    attributes: textMap().words('names and values of your own').default({}).writable(),
    external_ref: identifier()
      .words("your own system's id of the variant, unique among the tenant's variants, archived ones too")
      .orNull()
      .writable(),
    metadata: metadata().default({}).writable(),
    archived: flag()
      .words("the variant's own flag; a variant of an archived product is archived in effect")
      .writable('change'),
    /** Neither the variant nor its product is archived. */
    active: flag().hidden(),
    created_at: instant(),
    updated_at: instant(),
  },
})

export const VARIANTS_PER_REQUEST_MAX = 100
/** The most variants of a product. Archived ones count too, since a product's document shows all of them. */
export const VARIANTS_PER_PRODUCT_MAX = 1_000
const SHELF_LIFE_DAYS_MAX = 36_500

/**
 * The fields of a variant that may be in the product's body if the product has one variant. A null counts as sent: `"sku": null` beside
 * `variants` is as ambiguous as a sku.
 */
const shorthand = {
  sku: Variant.fields.sku.decided(),
  barcode: Variant.fields.barcode.decided(),
  barcodes: Variant.fields.barcodes.decided(),
  price: Variant.fields.price.words("of the single variant, without tax, in the tenant's currency").decided(),
  purchase_price: Variant.fields.purchase_price.decided(),
  minimum_stock: Variant.fields.minimum_stock.decided(),
  lead_time_days: Variant.fields.lead_time_days.decided(),
  minimum_order_quantity: Variant.fields.minimum_order_quantity.decided(),
  order_multiple: Variant.fields.order_multiple.decided(),
  components: Variant.fields.components,
}
export const shorthandNames = Object.keys(shorthand) as readonly (keyof typeof shorthand)[]

/** Triggers keep the titles, skus and barcodes of a product and its variants together in one row. */
const searched = {
  table: 'product_texts',
  text: (alias: string) => sql.fragment`${sql.identifier([alias, 'text'])}`,
  textOfRow: sql.fragment`(select text from product_texts where tenant_id = r.tenant_id and id = r.id limit 1)`,
}

export const Product = noun({
  name: 'product',
  table: 'items',
  path: '/products',
  tag: ['Products', 'What is bought, made and sold: products, materials and services, each with its variants.'],
  events: { created: 'A product was created.', updated: 'A product or one of its variants was changed.' },
  scopes: {
    read: 'read:catalog',
    create: 'write:catalog.product.create',
    update: 'write:catalog.product.update',
  },
  fields: {
    id: key(),
    title: text().writable(),
    type: choice(productTypes).words('its kind').default('PRODUCT').writable('create'),
    description: longText().words('in words').orNull().writable(),
    category: text().words('a group of your own').orNull().writable(),
    unit_id: reference(Unit),
    unit_name: fieldOf('unit_id', Unit, 'name'),
    is_sellable: flag().words('whether sales orders take it').default(true).writable(),
    is_producible: flag().words('whether manufacturing orders make it; a PRODUCT is, unless said').decided().writable(),
    is_purchasable: flag()
      .words('whether purchase orders take it', 'whether purchase orders take it; unless given true, of a KIT false')
      .decided()
      .writable(),
    batch_tracked: flag().words('whether its stock is kept by batch').default(false).writable(),
    shelf_life_days: whole(0, SHELF_LIFE_DAYS_MAX)
      .words('how long a batch lasts from its manufacture on')
      .orNull()
      .writable(),
    external_ref: identifier().orNull().writable(),
    ...recordFields,
    archived: flag().writable('change'),
    created_at: instant(),
    updated_at: instant().words('moves with any change to the product or to its variants'),
    variants: lines(
      Variant,
      'archived ones included, in the order in which they were made',
      'the variants; or use the fields of a single one beside the product',
    ).writable({ max: VARIANTS_PER_REQUEST_MAX, absent: 'decided', by: 'kept' }),
  },
  // A kit shows the titles and skus of its components, which belong to other products.
  readFrom: product =>
    (product as { readonly variants: readonly RecordOf<typeof Variant>[] }).variants.flatMap(({ components }) =>
      components.map(part => `item_variants ${part.item_variant_id}`),
    ),
  create: { unit_name: text().default('pcs'), ...shorthand },
  change: { unit_name: text(), ...shorthand },
  unique: ['external_ref'],
  filters: filtersOf({
    external_ref: uniqueText(),
    sku: amongThe(codeLeaf(), (sku, { tenantId, given }) =>
      withSku({ tenantId, sku, unarchivedOnly: given['archived'] === false }),
    ),
    item_variant_id: amongThe<readonly string[]>(
      explained(someIds(), 'only products with one of these variants'),
      (ids, { tenantId }) => withVariants({ tenantId, ids }),
    ),
    barcode: amongThe(
      explained(identifierLeaf(), 'one of the barcodes of a variant; GTINs are equal with zeros before them'),
      (barcode, { tenantId }) => withBarcode({ tenantId, barcode }),
    ),
    variant_external_ref: amongThe(
      explained(identifierLeaf(), 'only the product with the variant of this `external_ref`'),
      (ref, { tenantId }) => sql.fragment`
        select item_id as id from item_variants where tenant_id = ${tenantId}::bigint and external_ref = ${ref}`,
    ),
    q: searchIn(searched),
    type: oneText(productTypes),
    archived: flagged(),
    ...changes,
  }),
  listed:
    'Products with all their variants, ascending by id. Archived ones are listed unless filtered. `q` and `barcode` look ' +
    'at archived variants too. ' +
    '`sku` finds the products that have a variant with exactly this sku, archived variants too; together with ' +
    '`archived=false` the variant must be unarchived as well, so that at most one product is found.',
})

/** Ids of the products of these variants. */
function withVariants({ tenantId, ids }: { readonly tenantId: string; readonly ids: readonly string[] }): Fragment {
  return sql.fragment`
    select distinct v.item_id as id from unnest(${arrayOf(ids, 'int8')}) wanted (id)
    cross join lateral (
      select item_id from item_variants
      where tenant_id = ${tenantId}::bigint and id = wanted.id and ${readFromRows('item_variants')} limit 1
    ) v`
}

/** Ids of the products that have a variant with this barcode. Barcodes need not be unique. Leading zeros of GTINs are ignored. */
function withBarcode({ tenantId, barcode }: { readonly tenantId: string; readonly barcode: string }): Fragment {
  return sql.fragment`
    select distinct item_id as id from variant_barcodes where tenant_id = ${tenantId}::bigint and code = ${barcodeKey(barcode)}`
}

/**
 * Ids of products that have a variant with this sku, archived variants too. `unarchivedOnly`: the product and the variant must be
 * unarchived, so at most one product is found.
 */
function withSku(wanted: {
  readonly tenantId: string
  readonly sku: string
  readonly unarchivedOnly: boolean
}): Fragment {
  return sql.fragment`
    select distinct item_id as id from item_variants
    where tenant_id = ${wanted.tenantId}::bigint and sku = ${wanted.sku} and (active or not ${wanted.unarchivedOnly}::boolean)`
}

type Shorthand = { readonly [name in keyof typeof shorthand]?: unknown }
/** The fields of a variant that a product's body may have directly. */
export type ShorthandValues = Pick<RecordOf<typeof Variant>, keyof typeof shorthand>

/** Makes a value for each of these fields. */
export const ofShorthand = <V>(choose: (name: keyof typeof shorthand) => V) =>
  Object.fromEntries(shorthandNames.map(name => [name, choose(name)]))

/** The first of these fields that a body has, if any. */
export const firstShorthand = (body: Shorthand): keyof typeof shorthand | undefined =>
  shorthandNames.find(name => body[name] !== undefined)

/** The schema of a product's body, which has either `variants` or the fields of its one variant. */
export const eitherForm = <B extends Shorthand & { readonly variants?: readonly Shorthand[] | undefined }>(
  schema: v.GenericSchema<unknown, B>,
): v.GenericSchema<unknown, B> =>
  v.pipe(
    schema,
    v.forward(
      v.check<B, string>(
        body => body.variants === undefined || firstShorthand(body) === undefined,
        `must not stand beside ${shorthandNames.join(', ')}`,
      ),
      ['variants'] as never,
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const { variants = [] } = dataset.value
      const at = namesBoth(dataset.value) ? [] : variants.findIndex(namesBoth)
      if (at === -1) return
      const keys = typeof at === 'number' ? ['variants', at, 'barcode'] : ['barcode']
      addIssue({ message: 'must not stand beside barcodes', path: keys.map(key => ({ key })) as never })
    }),
  )

const namesBoth = ({ barcode, barcodes }: Shorthand): boolean => barcode !== undefined && barcodes !== undefined

export type Product = RecordOf<typeof Product>
export type Variant = RecordOf<typeof Variant>
export type NewProduct = CreateOf<typeof Product>
export type ProductChange = ChangeOf<typeof Product>
export type VariantChange = KeptLineOf<typeof Variant>
