/** What two readings of a record tell differently, as a person would name it. */
import { joinedTexts } from './titles.ts'

export type Difference = { readonly field: string; readonly before: string; readonly after: string }

/** Fields that change with any change. */
const SILENT = new Set(['updated_at'])

/** Compares two documents field by field; lines by their id. At most 20. */
export function differences(before: unknown, after: unknown): readonly Difference[] {
  const found: Difference[] = []
  compare('', before, after, found)
  return found.slice(0, 20)
}

function compare(field: string, before: unknown, after: unknown, found: Difference[]): void {
  if (isDocument(before) && isDocument(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (SILENT.has(name)) continue
      compare(field === '' ? words(name) : `${field}, ${words(name)}`, before[name], after[name], found)
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [byId(before), byId(after)]
    for (const id of new Set([...was.keys(), ...is.keys()])) {
      const one = was.get(id) ?? is.get(id)
      compare(`${field}: ${nameOf(one, id)}`, was.get(id), is.get(id), found)
    }
  } else if (before !== after) found.push({ field, before: shown(before), after: shown(after) })
}

type Document = Readonly<Record<string, unknown>>

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const byId = (values: readonly unknown[]): Map<string, unknown> =>
  new Map(
    values.map((value, index) => [isDocument(value) && 'id' in value ? String(value.id) : String(index + 1), value]),
  )

/** Goods by their title and sku, as everywhere. */
function nameOf(value: unknown, id: string): string {
  if (!isDocument(value)) return id
  const { title, sku, number } = value
  return joinedTexts(title == null ? null : String(title), sku == null ? null : String(sku)) || String(number ?? id)
}

const words = (name: string): string => name.replaceAll('_', ' ')

function shown(value: unknown): string {
  if (value === undefined) return 'not there'
  if (value === null || value === '') return 'empty'
  return isDocument(value) ? nameOf(value, 'there') : String(value)
}
