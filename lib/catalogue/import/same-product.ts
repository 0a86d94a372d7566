/**
 * Whether a product is already what a row asks for, so that importing a file again is no fault. Pure: no I/O and no clock.
 */
import { canonicalJson, JsonNumber, type JsonObject, type JsonValue } from '../../api/json.ts'
import { shorthandNames } from '../schemas.ts'

const shorthand: ReadonlySet<string> = new Set(shorthandNames)

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Text is trimmed by the endpoint. */
const sameValue = (asked: JsonValue, found: JsonValue | undefined): boolean =>
  found !== undefined && canonicalJson(typeof asked === 'string' ? asked.trim() : asked) === canonicalJson(found)

const sameFields = (asked: JsonObject, found: JsonObject): boolean =>
  Object.entries(asked).every(([name, value]) => sameValue(value, found[name]))

/** Whether every field that the row gives is so in the product's document. */
export function isSameProduct(row: JsonObject, product: JsonObject): boolean {
  const found = objectsOf(product['variants'])
  return Object.entries(row).every(([name, value]) => {
    if (name === 'variants') {
      const asked = objectsOf(value)
      return asked.length === found.length && asked.every((variant, at) => sameFields(variant, found[at] ?? {}))
    }
    if (shorthand.has(name)) return found.length === 1 && sameValue(value, found[0]?.[name])
    return sameValue(value, product[name])
  })
}

/** How the list of products finds what a row names: a query, or null when the row names nothing. */
export function lookupOf(row: JsonObject): string | null {
  const externalRef = row['external_ref']
  if (typeof externalRef === 'string') return `external_ref=${encodeURIComponent(externalRef.trim())}`
  const sku = row['sku'] ?? objectsOf(row['variants']).find(variant => typeof variant['sku'] === 'string')?.['sku']
  return typeof sku === 'string' ? `archived=false&sku=${encodeURIComponent(sku.trim())}` : null
}
