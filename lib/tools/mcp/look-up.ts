/** Finds the records that people name by words. When several match, the refusal names all of them; nothing is guessed. */
import * as v from 'valibot'
import type { List, Product, ProductVariant, StoragePlace } from '../../../client/src/index.ts'
import { type Context, field, ToolRefusal } from './tool.ts'

const CANDIDATES_MAX = 10
const FOUND_MAX = 50
const PLACES_MAX = 1_000

/** How inputs name a variant. */
export const variantFields = {
  product: v.optional(field.words('SKU, or words of the title. Give this or item_variant_id.')),
  item_variant_id: v.optional(
    field.id('The variant, where its id is known, or which one where the words fit several.'),
  ),
} as const

type NamedVariant = { readonly product?: string | undefined; readonly item_variant_id?: string | undefined }
type FoundVariant = { readonly product: Product; readonly variant: ProductVariant }

/** The unarchived variant with this id, else with this SKU, else the only one that matches the words. `at` is the name of the input. */
export async function findVariant(
  { product: words, item_variant_id: id }: NamedVariant,
  context: Context,
  at = '',
): Promise<FoundVariant> {
  const all = (await productsNamed({ words, id }, context, at)).flatMap(product =>
    product.variants.filter(({ archived }) => !archived).map(variant => ({ product, variant })),
  )
  const exact = all.filter(({ variant }) => variant.sku === words)
  const fitting = id === undefined && exact.length > 0 ? exact : all
  return only(
    fitting.filter(({ variant }) => id === undefined || variant.id === id),
    {
      at: words === undefined ? `${at}item_variant_id` : `${at}product`,
      words: words ?? id ?? '',
      pick: 'item_variant_id',
      shown: ({ product, variant }) => ({
        item_variant_id: variant.id,
        sku: variant.sku,
        title: titleOf(product, variant),
      }),
    },
  )
}

async function productsNamed(
  { words, id }: { readonly words: string | undefined; readonly id: string | undefined },
  { millrace, signal }: Context,
  at: string,
): Promise<Product[]> {
  const list = async (by: object) =>
    (await millrace.products.list({ ...by, archived: false, limit: FOUND_MAX }, { signal })).data
  if (words === undefined && id === undefined)
    throw new ToolRefusal('validation_failed', `${at}product: give product or item_variant_id`)
  // Words beside an id are checked: both must name the same variant.
  if (words === undefined) return list({ item_variant_id: id })
  const bySku = await list({ sku: words })
  return bySku.length > 0 ? bySku : list({ q: words })
}

/** `Filter Sidama`, or with several variants `Filter Sidama: 250 g`. Titles of variants often begin with the product's. */
export function titleOf(product: Product, variant: ProductVariant): string {
  if (product.variants.length === 1) return product.title
  return variant.title.startsWith(product.title) ? variant.title : `${product.title}: ${variant.title}`
}

export type Partner = { readonly id: string; readonly title: string; readonly archived: boolean }

/** The partner with this title, else the only one that matches the words. */
export async function findPartner<T extends Partner>(
  words: string,
  kind: 'supplier' | 'customer',
  list: (query: { q: string; archived: false; limit: number }) => List<T>,
): Promise<T> {
  const { data } = await list({ q: words, archived: false, limit: FOUND_MAX })
  const exact = data.filter(({ title }) => title.toLowerCase() === words.toLowerCase())
  return only(exact.length > 0 ? exact : data, {
    at: kind,
    words,
    pick: `${kind}_id`,
    shown: ({ id, title }) => ({ id, title }),
  })
}

type Use = 'manufacturing_allowed' | 'sales_allowed' | 'purchase_allowed'

export async function allPlaces({ millrace, signal }: Context): Promise<StoragePlace[]> {
  return millrace.storagePlaces.list({ archived: false, limit: 200 }, { signal }).toArray({ max: PLACES_MAX })
}

/** The place with this title, code or id. Without a name the main place, else the first that allows this use. */
export async function findPlace(named: string | undefined, use: Use | null, context: Context): Promise<StoragePlace> {
  const places = await allPlaces(context)
  const usable = use === null ? places : places.filter(place => place[use])
  if (named === undefined) {
    const place = usable.find(({ is_main }) => is_main) ?? usable[0]
    if (place === undefined) throw new ToolRefusal('not_found', 'storage_place: no place may be used for this')
    return place
  }
  const lower = named.toLowerCase()
  const fits = ({ id, title, code }: StoragePlace) => [id, title.toLowerCase(), code?.toLowerCase()].includes(lower)
  return only(usable.filter(fits), {
    at: 'storage_place',
    words: named,
    pick: 'storage_place',
    shown: ({ id, title }) => ({ id, title }),
    otherwise: usable,
  })
}

export const placeField = v.optional(
  field.words('Title, code or id of the storage place; the main place unless given.'),
)

/** @throws ToolRefusal for none and for several, with the possible ones */
function only<T>(
  found: readonly T[],
  {
    at,
    words,
    pick,
    shown,
    otherwise = [],
  }: {
    at: string
    words: string
    pick: string
    shown: (one: T) => object
    otherwise?: readonly T[]
  },
): T {
  const [first, ...further] = found
  if (first !== undefined && further.length === 0) return first
  const candidates = (found.length > 0 ? found : otherwise).slice(0, CANDIDATES_MAX).map(shown)
  const listed = candidates.length > 0 ? ` ${JSON.stringify(candidates)}` : ''
  const count = found.length === 0 ? 'nothing fits' : `${found.length} fit`
  const ask = found.length === 0 ? (listed === '' ? '' : ', there are') : `; ask which, and name it by ${pick}`
  throw new ToolRefusal(
    found.length === 0 ? 'not_found' : 'ambiguous',
    `${at}: ${count} ${JSON.stringify(words)}${ask}${listed}`,
  )
}
