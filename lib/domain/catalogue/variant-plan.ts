/**
 * Lists the variants of a product as a PATCH leaves them, the skus that they need, and how many are active. Pure (docs/rules/catalogue.md).
 */
import { decideEach, invalid, isRefusal, noSuch, type Refusal } from '../../kit/api/errors.ts'
import { withMerged } from '../../kit/documents/merging.ts'
import { barcodesAfter } from './barcode-rules.ts'
import type { Wanted } from './kits/fields.ts'
import { componentsAfter, type PlannedKit } from './kits/rules.ts'
import {
  firstShorthand,
  ofShorthand,
  type Product,
  type ProductChange,
  type ShorthandValues,
  Variant,
  type VariantChange,
} from './noun.ts'
import type { ItemValues, VariantValues, WantedRef, WantedSku } from './rules.ts'

/** A variant after the change. `place` is where the body has it (`variants[0]`); null: in the body itself, or nowhere. */
export type Planned = {
  readonly before: Variant | null
  readonly after: VariantValues
  readonly place: string | null
}

/**
 * Every variant of the product after the change: the stored ones in their order, then the added ones in the order of the body. Refuses
 * `validation_failed` for an id of another product or an id that the body has twice, for a shorthand that fits several variants, for
 * metadata beyond its limits, and for a barcode that the variant already has.
 */
export function planVariants(product: Product, item: ItemValues, body: ProductChange): Planned[] | Refusal {
  const entries = entriesOf(product, body)
  if (isRefusal(entries)) return entries
  const empty = ofShorthand(() => null) as unknown as ShorthandValues
  const plain = { barcodes: [], components: [], attributes: {}, external_ref: null, metadata: {}, archived: false }
  const added = entries
    .filter(({ given }) => given.id === undefined)
    .map(({ given, place }) => ({
      before: null,
      after: changedVariant({ ...empty, ...plain, title: item.title }, given),
      place,
    }))
  const byId = new Map(entries.map(entry => [entry.given.id, entry]))
  const kept = product.variants.map(before => {
    const entry = byId.get(before.id)
    return { before, after: entry ? changedVariant(before, entry.given) : before, place: entry?.place ?? null }
  })
  return [...kept, ...added]
}

type Entry = { readonly given: VariantChange; readonly place: string | null }

/** The body's variants, or one entry for the variant fields in the body itself. */
function entriesOf(product: Product, body: ProductChange): readonly Entry[] | Refusal {
  const shorthand = firstShorthand(body)
  if (shorthand !== undefined) {
    const unarchived = product.variants.filter(({ archived }) => !archived)
    const [only] = unarchived
    if (only === undefined || unarchived.length > 1)
      return invalid(shorthand, `the product has ${unarchived.length} unarchived variants, so name them in variants[]`)
    const barcodes = barcodesAfter(only.barcodes, body)
    if (isRefusal(barcodes)) return barcodes
    return [{ given: { ...ofShorthand(name => body[name]), ...barcodes, id: only.id }, place: null }]
  }
  const variants = new Map(product.variants.map(variant => [variant.id, variant]))
  const seen = new Set<string>()
  return decideEach(body.variants ?? [], (given, at) => {
    const place = `variants[${at}]`
    if (given.id === undefined) {
      if (given.archived !== undefined) return invalid(`${place}.archived`, 'goes with the id of a variant')
    } else {
      if (!variants.has(given.id)) return noSuch(`${place}.id`, 'variant of this product')
      if (seen.has(given.id)) return invalid(`${place}.id`, 'the variant appears twice')
      seen.add(given.id)
    }
    const stored = variants.get(given.id ?? '') ?? { metadata: {}, barcodes: [] }
    const whole = withMerged(Variant, stored, given, `${place}.`)
    if (isRefusal(whole)) return whole
    const barcodes = barcodesAfter(stored.barcodes, given, `${place}.`)
    return isRefusal(barcodes) ? barcodes : { given: { ...whole, ...barcodes }, place }
  })
}

function changedVariant(stored: VariantValues, given: VariantChange): VariantValues {
  return {
    ...(ofShorthand(name => or<unknown>(given[name], stored[name])) as ShorthandValues),
    components: componentsAfter<Wanted>(stored.components, given.components),
    title: or(given.title, stored.title),
    attributes: or(given.attributes, stored.attributes),
    external_ref: or(given.external_ref, stored.external_ref),
    // `entriesOf` has merged the metadata with the stored ones, so no member is null.
    metadata: or(given.metadata, stored.metadata),
    archived: or(given.archived, stored.archived),
  }
}

/** Undefined keeps the stored value; null clears it. */
export function or<T>(given: T | undefined, stored: T): T {
  return given === undefined ? stored : given
}

/**
 * The skus of the variants that will be active. Variants that the body does not change come first, so a conflict inside the product names
 * the field that causes it.
 */
export function wantedSkus(before: Product, item: ItemValues, planned: readonly Planned[]): WantedSku[] {
  if (item.archived) return []
  const wanted = planned
    .filter(({ after }) => !after.archived)
    .map(({ before: stored, after, place }) => {
      const isOther = stored === null || stored.sku !== after.sku
      const causes = isOther || (stored?.archived ?? false)
      const own = isOther ? 'sku' : 'archived'
      const field = !causes && before.archived ? 'archived' : place === null ? own : `${place}.${own}`
      return { sku: after.sku, field, isNew: causes || before.archived, causes }
    })
  return [...wanted.filter(({ causes }) => !causes), ...wanted.filter(({ causes }) => causes)]
}

/** The references that variants get. A reference may move between variants of the product. */
export const wantedRefs = (planned: readonly Planned[]): WantedRef[] =>
  planned.flatMap(({ before, after: { external_ref: ref }, place }) =>
    ref === null || ref === before?.external_ref ? [] : [{ ref, field: `${place}.external_ref` }],
  )

/** The references that variants of the product keep. */
export const keptRefs = (planned: readonly Planned[]): string[] =>
  planned.flatMap(({ before, after: { external_ref: ref } }) =>
    ref !== null && ref === before?.external_ref ? [ref] : [],
  )

/** How many variants become active, and by how many the count of active variants grows. */
export function countActive(before: Product, after: ItemValues, planned: readonly Planned[]) {
  let madeActive = 0
  let gained = 0
  for (const variant of planned) {
    const was = variant.before !== null && isActive(before, variant.before)
    const is = isActive(after, variant.after)
    if (is && !was) madeActive++
    gained += Number(is) - Number(was)
  }
  return { madeActive, gained }
}

type Archivable = { readonly archived: boolean }

/** Neither the variant nor its product is archived. */
export const isActive = (item: Archivable, variant: Archivable): boolean => !item.archived && !variant.archived

/** The variants of a kit; empty for other products. */
export const plannedKits = ({ type }: Pick<Product, 'type'>, planned: readonly Planned[]): PlannedKit[] =>
  type === 'KIT'
    ? planned.map(({ before, after: { sku, title, components }, place }) => ({
        ...{ id: before?.id ?? null, sku, title, components },
        at: place === null ? '' : `${place}.`,
        before: before?.components ?? [],
      }))
    : []
