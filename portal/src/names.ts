/**
 * The names of goods: the product, and the variant if its name differs. Lines in the API have only the variant's name, and two products may
 * each have a variant "Small". So this puts the whole name into the lines of every answer before a screen gets it.
 */
import { Millrace, type Product } from '@millrace/client'
import { readJson } from './exact.ts'
import { IDS_MAX, inGroups } from './patterns/groups.ts'
import { variantTitle } from './patterns/titles.ts'
import { queries } from './queries.ts'

/** Further variants of an answer keep the API's names: each hundred is a request that counts against the key's rate. */
const VARIANTS_MAX = 500
const TIMEOUT_MS = 10_000

export const unitKey = (variantId: string) => ['products', 'unit', variantId] as const
const titleKey = (variantId: string) => ['products', 'title', variantId] as const

type Made = Pick<Product, 'title' | 'unit_name'> & { readonly variants: readonly { readonly id: string }[] }

/** Remembers title and unit of a product that was read. They are not read again until they change. */
function remember({ title, unit_name, variants }: Made): void {
  for (const { id } of variants) {
    queries.setQueryData(titleKey(id), title)
    queries.setQueryData(unitKey(id), unit_name)
  }
}

function productTitle(variantId: string): string | undefined {
  const state = queries.getQueryState<string>(titleKey(variantId))
  return state?.isInvalidated ? undefined : state?.data
}

type Json = { [name: string]: unknown }

/** A line: it has a variant, and the variant's title. */
const isLine = (value: Json): value is Json & { item_variant_id: string; title: string } =>
  typeof value.item_variant_id === 'string' && typeof value.title === 'string'

const isProduct = (value: Json): value is Json & Made =>
  typeof value.title === 'string' && typeof value.unit_name === 'string' && Array.isArray(value.variants)

/** A variant that has its product's title beside its own. */
const isTold = (value: Json): value is Json & { item_title: string; title: string } =>
  typeof value.item_title === 'string' && typeof value.title === 'string'

function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Json
  for (const each of Object.values(value)) yield* objectsIn(each)
}

export type Key = { readonly token: string; readonly can: (scope: string) => boolean }

/** Reads an answer and gives goods their whole names. */
export function namedReader(key: Key): (text: string) => Promise<unknown> {
  const named = namerOf(key)
  return text => named(readJson(text))
}

export type Namer = <Answer>(answer: Answer) => Promise<Answer>

/**
 * Gives goods their whole names. Unknown products are read first. If that fails, or the key may not read products, lines keep the API's
 * names.
 */
export function namerOf({ token, can }: Key): Namer {
  const client = new Millrace({ baseUrl: '', token, timeoutMs: TIMEOUT_MS, maxRetries: 0 })
  /** Variants that are being read. Other answers of the screen wait for the same request. */
  const asked = new Map<string, Promise<void>>()
  const learn = async (ids: readonly string[]) => {
    const others = ids.filter(id => !asked.has(id))
    if (others.length > 0) {
      const reading = read(others).finally(() => {
        for (const id of others) asked.delete(id)
      })
      for (const id of others) asked.set(id, reading)
    }
    await Promise.all(ids.map(id => asked.get(id)))
  }
  const read = async (ids: readonly string[]): Promise<void> => {
    try {
      const pages = await Promise.all(
        inGroups(ids).map(item_variant_id => client.products.list({ item_variant_id, limit: IDS_MAX })),
      )
      for (const product of pages.flatMap(({ data }) => data)) remember(product)
    } catch {
      // The answer is shown with the API's names.
    }
  }
  return async answer => {
    const objects = [...objectsIn(answer)]
    for (const product of objects.filter(isProduct)) remember(product)
    const lines = objects.filter(isLine)
    const unknown = new Set(lines.map(line => line.item_variant_id).filter(id => productTitle(id) === undefined))
    if (unknown.size > 0 && can('read:catalog')) await learn([...unknown].slice(0, VARIANTS_MAX))
    for (const line of lines) {
      const item_title = productTitle(line.item_variant_id)
      if (item_title !== undefined) line.title = variantTitle({ item_title, title: line.title })
    }
    for (const variant of objects.filter(isTold)) variant.title = variantTitle(variant)
    return answer
  }
}
