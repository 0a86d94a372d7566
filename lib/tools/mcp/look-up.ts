/**
 * Finds the records that people name by words: what fits several is refused with all that fit, never guessed.
 */
import * as v from 'valibot'
import type { List, Product, ProductVariant, StoragePlace } from '../../../client/src/index.ts'
import { type Context, field, ToolRefusal } from './tool.ts'

const CANDIDATES_MAX = 10
const FOUND_MAX = 50
const PLACES_MAX = 1_000

/** How inputs name a variant. */
export const variantFields = {
  product: field.words('SKU, or words of the title.'),
  item_variant_id: v.optional(field.id('Which of them, where the words fit several variants.')),
} as const

type NamedVariant = { readonly product: string; readonly item_variant_id?: string | undefined }
type FoundVariant = { readonly product: Product; readonly variant: ProductVariant }

/** The unarchived variant that is meant: the one with this SKU, else the only one that the words fit. `at` names the input. */
export async function findVariant(named: NamedVariant, { millrace, signal }: Context, at = ''): Promise<FoundVariant> {
  const query = { archived: false, limit: FOUND_MAX }
  const bySku = await millrace.products.list({ ...query, sku: named.product }, { signal })
  const page = bySku.data.length > 0 ? bySku : await millrace.products.list({ ...query, q: named.product }, { signal })
  const all = page.data.flatMap(product =>
    product.variants.filter(({ archived }) => !archived).map(variant => ({ product, variant })),
  )
  const exact = all.filter(({ variant }) => variant.sku === named.product)
  const fitting = named.item_variant_id === undefined && exact.length > 0 ? exact : all
  return only(
    fitting.filter(({ variant }) => named.item_variant_id === undefined || variant.id === named.item_variant_id),
    {
      at: `${at}product`,
      words: named.product,
      pick: 'item_variant_id',
      shown: ({ product, variant }) => ({
        item_variant_id: variant.id,
        sku: variant.sku,
        title: titleOf(product, variant),
      }),
    },
  )
}

/** `Filter Sidama`, or with several variants `Filter Sidama: 250 g`. */
export function titleOf(product: Product, variant: ProductVariant): string {
  return product.variants.length === 1 || variant.title === product.title
    ? product.title
    : `${product.title}: ${variant.title}`
}

export type Partner = { readonly id: string; readonly title: string; readonly archived: boolean }

/** The partner whose title this is, else the only one that the words fit. */
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

/** The place with this title, code or id; where none is named the main one, else the first that may be used so. */
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

/** @throws ToolRefusal for none and for several, with those that there are. */
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
  const told = candidates.length > 0 ? ` ${JSON.stringify(candidates)}` : ''
  const count = found.length === 0 ? 'nothing fits' : `${found.length} fit`
  const ask = found.length === 0 ? (told === '' ? '' : ', there are') : `; ask which, and name it by ${pick}`
  throw new ToolRefusal(
    found.length === 0 ? 'not_found' : 'ambiguous',
    `${at}: ${count} ${JSON.stringify(words)}${ask}${told}`,
  )
}
