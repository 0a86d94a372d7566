/** An event in words: its record, its step, and the old and new values. */
import { words } from '../format.tsx'
import type { Event } from '../records.ts'
import { type Difference, differences } from './differences.ts'

type Document = Readonly<Record<string, unknown>>

/** The record with all fields at one level: a return is in a field of its own, beside its lines. */
const flat = ({ sales_return, ...rest }: Document): Document => ({ ...(sales_return as object | undefined), ...rest })

export const recordOf = (event: Event): Document => flat(event.data as Document)

export const stepOf = ({ type }: Event): string => type.split('.')[1] ?? ''

/** `SALES_ORDER` for the event `sales_order.shipped`. */
export const kindOf = ({ type }: Event): string => type.split('.')[0]?.toUpperCase() ?? ''

export const stepText = (event: Event): string => {
  const step = stepOf(event)
  return step === 'updated' ? 'Changed' : words(step)
}

/** The name of the record; its id if the event was too large to contain it. */
export function nameIn(event: Event): string {
  const { number, title, item_variant, sku, id } = recordOf(event)
  const name = number ?? title ?? (item_variant as Document | undefined)?.['title'] ?? sku ?? id
  return String(name)
}

/** Empty for an event without old values. */
export function changesOf(event: Event, placeTitle: (id: string | null) => string): readonly Difference[] {
  if (event.previous === null) return []
  const [before, now] = [flat(event.previous as Document), recordOf(event)]
  return differences(before, Object.fromEntries(Object.keys(before).map(name => [name, now[name]])), placeTitle)
}
