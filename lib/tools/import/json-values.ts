/**
 * Rows and records as JSON: objects in them, and whether a record already has the values of a row, so that importing a file again is no
 * fault. Pure: no I/O and no clock.
 */
import { canonicalJson, JsonNumber, type JsonObject, type JsonValue } from '../../platform/json.ts'

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

export const objectsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The endpoint trims text, and keeps texts that name things in Unicode NFC. A missing part of an object, such as an address, is null. */
export function sameValue(asked: JsonValue, found: JsonValue | undefined): boolean {
  if (isObject(asked) && isObject(found))
    return Object.keys({ ...asked, ...found }).every(name => sameValue(asked[name] ?? null, found[name] ?? null))
  if (typeof asked === 'string' && typeof found === 'string')
    return asked.trim().normalize('NFC') === found.normalize('NFC')
  return found !== undefined && canonicalJson(asked) === canonicalJson(found)
}

/** Whether the record has every given field with the same value. */
export const sameFields = (asked: JsonObject, found: JsonObject): boolean =>
  Object.entries(asked).every(([name, value]) => sameValue(value, found[name]))
