/** The differences between two readings of a record, in words for people. */
import { words as codeWords, dayText, instantText } from '../format.tsx'
import { joinedTexts } from './titles.ts'

export type Difference = { readonly field: string; readonly before: string; readonly after: string }

/** Fields that change with every change, and fields that follow from others. */
const SILENT =
  /^(id|updated_at|updated_by_user_name|(completed|shipped|started|cancelled|reversed)_at|reversed_by_user_name|reversal_reason|wip_cost|posted_cost|(total|tax)_amount|line_(tax_)?amount(_with_tax)?|.*(?<!place|location)_id)$/

type PlaceTitle = (id: string | null) => string

/** Compares two documents field by field, and their lines by id. At most 20 differences. */
export function differences(before: unknown, after: unknown, placeTitle?: PlaceTitle): readonly Difference[] {
  const found: Difference[] = []
  compare({ field: '', name: '' }, before, after, found, placeTitle)
  return found.slice(0, 20)
}

type At = { readonly field: string; readonly name: string }

function compare({ field, name }: At, before: unknown, after: unknown, found: Difference[], title?: PlaceTitle): void {
  if (isDocument(before) && isDocument(after)) {
    for (const part of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (SILENT.test(part)) continue
      const at = { field: field === '' ? words(part) : `${field}, ${words(part)}`, name: part }
      compare(at, before[part], after[part], found, title)
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [byId(before), byId(after)]
    for (const id of new Set([...was.keys(), ...is.keys()])) {
      const one = was.get(id) ?? is.get(id)
      // Lines need no prefix of their field.
      const of = field === 'items' ? nameOf(one, id) : `${field}: ${nameOf(one, id)}`
      compare({ field: of, name }, was.get(id), is.get(id), found, title)
    }
  } else if (before !== after)
    found.push({ field, before: shown(name, before, title), after: shown(name, after, title) })
}

type Document = Readonly<Record<string, unknown>>

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const byId = (values: readonly unknown[]): Map<string, unknown> =>
  new Map(
    values.map((value, index) => [isDocument(value) && 'id' in value ? String(value.id) : String(index + 1), value]),
  )

/** The name of a line: for goods their title and sku. */
function nameOf(value: unknown, id: string): string {
  if (!isDocument(value)) return id
  const { title, sku, number } = value
  return joinedTexts(title == null ? null : String(title), sku == null ? null : String(sku)) || String(number ?? id)
}

const words = (name: string): string => name.replace(/_id$/, '').replaceAll('_', ' ')

function shown(name: string, value: unknown, title?: PlaceTitle): string {
  if (value === undefined) return 'not there'
  if (value === null || value === '') return 'empty'
  if (isDocument(value)) return String(value.quantity ?? nameOf(value, 'there'))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  if (name.endsWith('_id')) return title?.(text) ?? text
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(text)) return name.endsWith('_at') ? instantText(text) : dayText(text)
  return /(^|_)(status|type|kind|rounding|mode)$/.test(name) ? codeWords(text) : text
}
