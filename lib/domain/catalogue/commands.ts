/** The commands that make and change products with their variants (docs/rules/catalogue.md). */
import { isRefusal } from '../../kit/api/errors.ts'
import { changes } from '../../kit/documents/acts.ts'
import { changed, made } from '../../kit/documents/command.ts'
import { creates } from '../../kit/documents/creates.ts'
import { recordBy } from '../../kit/documents/needs.ts'
import { byRef } from '../../kit/documents/puts.ts'
import type { Work } from '../../kit/documents/work.ts'
import { refuseDocumentDate } from '../accounting/document-date.ts'
import { activeVariants, keepTrack, refHolders, skuHolders } from './active-variants.ts'
import { type Change, decideChange, textsToTake } from './change-rules.ts'
import { withFoundVariants } from './found-variants.ts'
import { hasStock } from './in-stock.ts'
import { refuseKitChanges } from './kits/available-rules.ts'
import { componentChanges } from './kits/component-changes.ts'
import { madeOf } from './kits/fields.ts'
import { type FindPart, forgetParts, levelsOf, partsNamed } from './kits/parts.ts'
import { componentsOf, refuseFields, refuseKits } from './kits/rules.ts'
import {
  eitherForm,
  Product,
  shorthandNames,
  VARIANTS_PER_PRODUCT_MAX,
  VARIANTS_PER_REQUEST_MAX,
  type Variant,
} from './noun.ts'
import { bookRecategorised } from './recategorised.ts'
import {
  newItem,
  newRefs,
  newSkus,
  newVariants,
  refuseOverLimit,
  refuseTakenRef,
  refuseTakenSku,
  type VariantValues,
} from './rules.ts'
import { valuesOf } from './stock-values.ts'
import { Unit } from './units/document.ts'
import { isActive, plannedKits } from './variant-plan.ts'

/**
 * Refuses `validation_failed` as `refuseFields` and `refuseKits` do, and for a taken sku or external_ref. Refuses `SUBSCRIPTION_LIMIT`
 * after that.
 */
export const createProduct = creates(Product, {
  description:
    `Takes either \`variants\` or, for a product with one variant, the shorthand ${shorthandNames.map(name => `\`${name}\``).join(', ')}. ` +
    'Any shorthand field beside `variants`, also with null, is 400. With neither, the product gets one ' +
    "variant without sku. A variant without `title` takes the product's. `is_producible` defaults to true for a PRODUCT, " +
    'else to false. A `unit_name` that is new makes the unit. A sku is unique (by its exact spelling) among the unarchived ' +
    'variants of the tenant, `external_ref` among all of them. Variants of a KIT have `components`, each an unarchived variant that is no ' +
    'kit and stands in 200 kits at most; a kit is neither made, bought, tracked nor counted.',
  bodyOf: eitherForm,
  example: {
    title: 'Oak table',
    category: 'Furniture',
    unit_name: 'pcs',
    variants: [
      {
        title: 'Oak table, natural',
        sku: 'OAK-TABLE',
        price: 249,
        purchase_price: 120,
        attributes: { color: 'natural' },
      },
      {
        title: 'Oak table, black',
        sku: 'OAK-TABLE-BLACK',
        price: 259,
        minimum_stock: 2,
        attributes: { color: 'black' },
      },
    ],
  },
  replay: 200,
  counts: true,
  refusals: ['SUBSCRIPTION_LIMIT'],
  form: body => refuseFields(body.type, body),
  // One id is for the product and one for a new unit.
  ids: body => 2 + (body.variants?.length ?? 1),
  needs: body => ({
    unit: recordBy(Unit, 'name', body.unit_name),
    findSku: skuHolders(newVariants(body).map(({ sku }) => sku)),
    findRef: refHolders(newRefs(newVariants(body)).map(({ ref }) => ref)),
    findPart: partsNamed(newVariants(body).flatMap(({ components }) => components)),
    activeVariants,
  }),
  decide: (body, facts, { now, settings, work }) => {
    const variants = newVariants(body)
    const item = newItem(body)
    const active = variants.filter(variant => isActive(item, variant)).length
    const planned = variants.map((after, at) => ({
      before: null,
      after,
      place: body.variants ? `variants[${at}]` : null,
    }))
    const refused =
      refuseKits(plannedKits(body, planned), facts.findPart) ??
      refuseTakenSku(item.archived ? [] : newSkus(body, variants), { find: facts.findSku }) ??
      refuseTakenRef(newRefs(variants), { find: facts.findRef }) ??
      facts.refuseTaken() ??
      refuseOverLimit({ madeActive: active, gained: active }, facts.activeVariants, settings)
    if (refused) return refused
    const id = work.newId()
    const product = work.make(Product, {
      ...item,
      id,
      created_at: now,
      updated_at: now,
      variants: variants.map(values => newVariant(work, { ...item, id }, values, facts.findPart)),
      unit_id: (facts.unit ?? makeUnit(work, body.unit_name)).id,
    })
    keepTrack(work, null, product)
    forgetParts(work, product)
    return made(work, Product, product)
  },
})

/** Refuses as `decideChange` does. A body that changes nothing writes nothing and has no event. */
export const changeProduct = changes(Product, {
  description:
    'What is omitted stays; null clears a nullable field. `variants` entries with `id` change that variant (also `archived`), ' +
    `entries without add one (up to ${VARIANTS_PER_REQUEST_MAX} entries a request, ${VARIANTS_PER_PRODUCT_MAX} variants a ` +
    'product, archived ones included); unnamed variants stay. The shorthand fields change the one unarchived variant; with ' +
    'none or several they are 400. `attributes` are replaced as a whole, `metadata` merges. `archived` archives the product and with it, in ' +
    'effect, its variants, whose skus become free. `batch_tracked` cannot change while the product has stock. Where `category` changes, the stock value goes to the new one in the books, today (422 while today is closed). A body that ' +
    'changes nothing answers the product as it is.',
  bodyOf: eitherForm,
  example: { category: 'Tables', shelf_life_days: null },
  refusals: ['SUBSCRIPTION_LIMIT', 'unprocessable'],
  ids: body => 1 + (body.variants?.filter(({ id }) => id === undefined).length ?? 0),
  needs: body => ({ named: recordBy(Unit, 'name', body.unit_name), activeVariants }),
  more: ({ record, body }) => {
    const { skus, refs, parts, replaced } = textsToTake(record, body)
    return {
      findSku: skuHolders(skus.map(({ sku }) => sku)),
      findRef: refHolders(refs.map(({ ref }) => ref)),
      findPart: partsNamed(parts),
      findLevels: levelsOf([...parts, ...replaced]),
      hasStock: hasStock(body.batch_tracked === undefined ? null : record.id),
      stockValues: valuesOf(body.category === undefined ? null : record.id),
    }
  },
  decide: ({ record: before, body }, { named, ...facts }, { now, settings, tenant, work }) => {
    const unitId = body.unit_name === undefined ? before.unit_id : (named?.id ?? null)
    const change = decideChange(before, body, { ...facts, unitId }, settings)
    if (isRefusal(change)) return change
    if (change === null) return { body: work.render(Product, before), events: [] }
    const unit_id = unitId ?? makeUnit(work, body.unit_name ?? '').id
    const after = work.change(Product, { ...changedProduct(work, before, change, facts.findPart), unit_id })
    const kits = componentChanges(before, after, facts.findLevels)
    const tooMany = refuseKitChanges(kits.length)
    if (tooMany !== null) return tooMany
    const moved = facts.stockValues()
    if (before.category !== after.category && moved.length > 0) {
      const closed = refuseDocumentDate({ field: 'category', date: now, now, tenant })
      if (closed) return closed
      bookRecategorised(
        work,
        moved.flatMap(({ itemVariantId, storagePlaceId, value }) => {
          const sku = after.variants.find(({ id }) => id === itemVariantId)?.sku ?? null
          const line = { item_id: after.id, item_variant_id: itemVariantId, storage_place_id: storagePlaceId, sku }
          return [
            { ...line, category: before.category, amount: -value },
            { ...line, category: after.category, amount: value },
          ]
        }),
      )
    }
    keepTrack(work, before, after)
    forgetParts(work, before, after)
    const told = changed(work, Product, { before, after, event: 'updated' })
    return { ...told, events: [...told.events, ...kits] }
  },
})

/** Refuses as `createProduct` and `changeProduct` do. */
export const productByRef = byRef(Product, {
  create: createProduct,
  change: changeProduct,
  description:
    'Variants are found by `external_ref`, else `sku`, else title, unarchived ones first; one that names two is 400, those that are not ' +
    'named stay. The fields of a single variant mean the only one (with several: 400). `type` cannot change.',
  example: { title: 'Oak bench', category: 'Furniture', variants: [{ title: 'Oak bench, natural', sku: 'OAK-BENCH' }] },
  bodyOf: eitherForm as never,
  found: withFoundVariants as never,
})

const makeUnit = (work: Work, name: string) => work.make(Unit, { id: work.newId(), name })

const newVariant = (
  work: Work,
  product: Pick<Product, 'id' | 'archived'>,
  values: VariantValues,
  find: FindPart,
): Product['variants'][number] => ({
  ...values,
  ...madeOf(componentsOf(values.components, [], find)),
  id: work.newId(),
  item_id: product.id,
  active: isActive(product, values),
  created_at: work.now,
  updated_at: work.now,
})

function changedProduct(work: Work, before: Product, { item, changed, added }: Change, find: FindPart): Product {
  const changes = new Map(changed.map(change => [change.id, change]))
  const kept = before.variants.map((variant): Variant => {
    const change = changes.get(variant.id)
    if (change === undefined) return variant
    const { touched, ...values } = change
    const stamps = touched ? { updated_at: work.now } : {}
    const parts = madeOf(componentsOf(values.components, variant.components, find))
    return { ...variant, ...values, ...parts, ...stamps, active: isActive(item, values) }
  })
  const product = { ...before, ...item, unit_id: before.unit_id, updated_at: work.now }
  return { ...product, variants: [...kept, ...added.map(values => newVariant(work, product, values, find))] }
}
