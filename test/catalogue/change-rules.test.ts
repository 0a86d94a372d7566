/**
 * What must hold for every PATCH of a product: unique skus, untouched variants, and no effect of a repetition. Tests pure rules without a
 * database.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type Change, decideChange, type Facts, textsToTake } from '../../lib/domain/catalogue/change-rules.ts'
import type { Product, ProductChange, Variant } from '../../lib/domain/catalogue/noun.ts'
import type { VariantValues } from '../../lib/domain/catalogue/rules.ts'
import { isActive } from '../../lib/domain/catalogue/variant-plan.ts'
import { isRefusal } from '../../lib/kit/api/errors.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const stamps = { created_at: '', updated_at: '' }
const item: Omit<Product, 'variants'> = {
  id: '7',
  type: 'PRODUCT',
  title: 'x',
  description: null,
  category: null,
  unit_id: '5',
  is_sellable: true,
  is_producible: true,
  is_purchasable: true,
  batch_tracked: false,
  shelf_life_days: null,
  external_ref: null,
  metadata: {},
  archived: false,
  ...stamps,
}

const skuOrNull = fc.constantFrom(null, 'A', 'B', 'C', 'D')
const price = fc.constantFrom(null, 0n, 1_500_000n)

/** A product as the database can hold it: at most one active variant for each sku. */
const products: fc.Arbitrary<Product> = fc
  .record({
    archived: fc.boolean(),
    variants: fc.array(fc.record({ sku: skuOrNull, price, archived: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ archived, variants }) => ({
    ...item,
    archived,
    variants: variants.map((values, at) => ({
      ...{ title: 'v', barcode: null, barcodes: [], purchase_price: null, minimum_stock: null, attributes: {} },
      ...{ components: [], made_of: [] },
      ...{ lead_time_days: null, minimum_order_quantity: null, order_multiple: null },
      ...{ external_ref: null, metadata: {} },
      ...values,
      ...stamps,
      id: String(at + 1),
      item_id: '7',
      active: !archived && !values.archived,
    })),
  }))
  .filter(product => hasUniqueSkus(product, product.variants))

const entry = fc.record(
  { id: fc.constantFrom('1', '2', '3', '4'), sku: skuOrNull, price, archived: fc.boolean() },
  { requiredKeys: [] },
)
const bodies: fc.Arbitrary<ProductChange> = fc.record(
  {
    title: fc.constantFrom('x', 'y'),
    archived: fc.boolean(),
    variants: fc.array(entry, { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: [] },
)
const takenSkus = fc.subarray<string>(['A', 'B', 'C'])
const plan = fc.constantFrom(null, 5)

type Archivable = { readonly archived: boolean }

function active<V extends VariantValues>({ archived }: Archivable, variants: readonly V[]): readonly V[] {
  return archived ? [] : variants.filter(variant => !variant.archived)
}

function hasUniqueSkus(item: Archivable, variants: readonly VariantValues[]): boolean {
  const skus = active(item, variants).flatMap(({ sku }) => sku ?? [])
  return new Set(skus).size === skus.length
}

/** The product after the rows of the change are written. */
function apply(product: Product, { item, changed, added }: Change): Product {
  const changes = new Map(changed.map(({ touched: _, ...values }) => [values.id, values]))
  const after = (variant: Variant): Variant => ({ ...variant, active: isActive(item, variant) })
  const kept = product.variants.map(variant => after({ ...variant, ...changes.get(variant.id), components: [] }))
  const made = added.map((values, at) =>
    after({ ...values, ...stamps, components: [], made_of: [], id: String(100 + at), item_id: '7', active: true }),
  )
  return { ...product, ...item, unit_id: '5', variants: [...kept, ...made] }
}

const none: Facts = {
  unitId: '5',
  findSku: () => null,
  findRef: () => null,
  findPart: () => null,
  refuseTaken: () => null,
  activeVariants: null,
  hasStock: () => false,
}
const limits = { freePlanVariantsMax: 5 }

test('no accepted change leaves a sku on two unarchived variants', t => {
  let accepted = 0
  fc.assert(
    fc.property(products, bodies, takenSkus, (product, body, taken) => {
      // Skus that another product has cannot be skus of this one.
      const held = active(product, product.variants).map(({ sku }) => sku)
      fc.pre(!taken.some(sku => held.includes(sku)))
      const asked = textsToTake(product, body).skus.map(({ sku }) => sku)
      const findSku = (sku: string) => {
        // The command asks for these skus. It does not see any others.
        if (!asked.includes(sku)) throw new Error(`${sku} was not asked for`)
        return taken.includes(sku) ? { id: '9', item_id: '8' } : null
      }
      const change = decideChange(product, body, { ...none, findSku }, limits)
      if (change === null || isRefusal(change)) return true
      accepted++
      const after = apply(product, change)
      const skus = active(after, after.variants).map(({ sku }) => sku)
      return hasUniqueSkus(after, after.variants) && !taken.some(sku => skus.includes(sku))
    }),
    { numRuns: 2_000 },
  )
  t.true(accepted > 200)
})

test('a change that was made changes nothing when it is asked for again', t => {
  let made = 0
  fc.assert(
    fc.property(products, bodies, (product, body) => {
      const change = decideChange(product, body, none, limits)
      if (change === null || isRefusal(change) || change.added.length > 0) return true
      made++
      return decideChange(apply(product, change), body, none, limits) === null
    }),
    { numRuns: 2_000 },
  )
  t.true(made > 200, `${made}`)
})

test('variants that a body does not name keep their values', t => {
  let kept = 0
  fc.assert(
    fc.property(products, bodies, (product, body) => {
      const change = decideChange(product, body, none, limits)
      if (change === null || isRefusal(change)) return true
      const named = new Set((body.variants ?? []).map(({ id }) => id))
      const before = product.variants.filter(({ id }) => !named.has(id))
      const after = apply(product, change).variants.filter(({ id }) => before.some(variant => variant.id === id))
      t.deepEqual(
        after,
        before.map(variant => ({ ...variant, active: isActive(change.item, variant) })),
      )
      kept += before.length
      return change.changed.every(({ id, touched }) => named.has(id) || !touched)
    }),
    { numRuns: 500 },
  )
  t.true(kept > 100, `${kept}`)
})

test('a change goes over the plan exactly when it makes variants unarchived and too many are', t => {
  let refused = 0
  fc.assert(
    fc.property(products, bodies, plan, fc.integer({ min: 1, max: 5 }), (product, body, limited, others) => {
      const unlimited = decideChange(product, body, none, limits)
      const before = active(product, product.variants).length
      const activeVariants = limited === null ? null : others + before
      const change = decideChange(product, body, { ...none, activeVariants }, limits)
      if (unlimited === null || isRefusal(unlimited) || activeVariants === null) return same(change, unlimited)
      const after = apply(product, unlimited)
      const was = new Set(active(product, product.variants).map(({ id }) => id))
      const made = active(after, after.variants).filter(({ id }) => !was.has(id)).length
      const over = made > 0 && others + active(after, after.variants).length > limits.freePlanVariantsMax
      if (over) refused++
      return over ? isRefusal(change) && change.refusal === 'SUBSCRIPTION_LIMIT' : same(change, unlimited)
    }),
    { numRuns: 10_000 },
  )
  t.true(refused > 50, `${refused}`)
})

const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)
