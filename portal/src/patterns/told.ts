/** What an event tells, in words: of which record, which step, and what changed from what to what. */
import { words } from '../format.tsx'
import type { Event } from '../records.ts'
import { type Difference, differences } from './differences.ts'

type Document = Readonly<Record<string, unknown>>

/** The record with its fields at one level: a return is told with its lines beside it. */
const flat = ({ sales_return, ...rest }: Document): Document => ({ ...(sales_return as object | undefined), ...rest })

export const recordOf = (event: Event): Document => flat(event.data as Document)

export const stepOf = ({ type }: Event): string => type.split('.')[1] ?? ''

/** `SALES_ORDER` of `sales_order.shipped`. */
export const kindOf = ({ type }: Event): string => type.split('.')[0]?.toUpperCase() ?? ''

export const stepText = (event: Event): string => {
  const step = stepOf(event)
  return step === 'updated' ? 'Changed' : words(step)
}

/** What a record is called; of one that was too large to be told, its id. */
export function nameIn(event: Event): string {
  const { number, title, item_variant, sku, id } = recordOf(event)
  const name = number ?? title ?? (item_variant as Document | undefined)?.['title'] ?? sku ?? id
  return String(name)
}

/** None of an event that tells no old values. */
export function changesOf(event: Event, placeTitle: (id: string | null) => string): readonly Difference[] {
  if (event.previous === null) return []
  const [before, now] = [flat(event.previous as Document), recordOf(event)]
  return differences(before, Object.fromEntries(Object.keys(before).map(name => [name, now[name]])), placeTitle)
}
