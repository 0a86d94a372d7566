/** How numbers, dates and codes are shown: in the browser's format, every digit kept. */
import { Badge, type MantineColor } from '@mantine/core'
import { dayOf, timeZone } from './days.ts'
import type { Decimal } from './exact.ts'

/** Exchange rates have the most. */
const DECIMALS_MAX = 10

const quantities = new Intl.NumberFormat(undefined, { maximumFractionDigits: DECIMALS_MAX })
const counts = new Intl.NumberFormat()
// The one rule of all screens: dates of documents are days of the tenant's time zone, as the interface compares them; when something happened
// is shown in the reader's time zone. The shell says so once (`timeZoneNote`).
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const moneys = new Map<string, Intl.NumberFormat>()

export const quantityText = (value: Decimal): string => quantities.format(value)

export const countText = (value: number): string => counts.format(value)

/** Amounts have the currency's decimals, costs and prices more: none is cut. */
export function moneyText(value: Decimal, currency: string): string {
  const format =
    moneys.get(currency) ??
    new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: DECIMALS_MAX })
  moneys.set(currency, format)
  return format.format(value)
}

/** Totals in the currency's own decimals; patterns/total.tsx shows the others on request. */
export const totalText = (value: Decimal, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value)

export const timeZoneNote = (): string =>
  `Times are of ${instants.resolvedOptions().timeZone}. Dates of documents are days of ${timeZone()}.`

export const dayText = (timestamp: string | null): string =>
  timestamp === null ? '–' : days.format(new Date(dayOf(timestamp)))

export const instantText = (timestamp: string | null): string =>
  timestamp === null ? '–' : instants.format(new Date(timestamp))

/** When something happened, with the exact time for who points at it. */
export function Instant({ at }: { readonly at: string | null }) {
  return at === null ? (
    '–'
  ) : (
    <time dateTime={at} title={at} className="whole">
      {instantText(at)}
    </time>
  )
}

/** `PARTIALLY_SHIPPED` as words. */
export const words = (code: string): string => capital(code.replaceAll('_', ' ').toLowerCase())

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const colors: Readonly<Record<string, MantineColor>> = {
  OPEN: 'blue',
  NOT_STARTED: 'gray',
  IN_PROGRESS: 'blue',
  PARTIALLY_DONE: 'cyan',
  BLOCKED: 'red',
  DONE: 'green',
  CANCELLED: 'gray',
  NOT_SHIPPED: 'gray',
  PARTIALLY_PACKED: 'cyan',
  PACKED: 'blue',
  PARTIALLY_SHIPPED: 'yellow',
  SHIPPED: 'green',
  NOT_RECEIVED: 'gray',
  PARTIALLY_RECEIVED: 'yellow',
  RECEIVED: 'green',
  NOT_RETURNED: 'gray',
  RETURNED: 'green',
  IN_STOCK: 'blue',
  HELD: 'blue',
  CONSUMED: 'green',
  RELEASED: 'gray',
  EXPIRED: 'gray',
  pending: 'blue',
  succeeded: 'green',
  failed: 'red',
  active: 'green',
  failing: 'orange',
  disabled: 'red',
  done: 'green',
  refused: 'orange',
  valid: 'green',
  expired: 'gray',
  revoked: 'red',
  NORMAL: 'green',
  ELEVATED: 'orange',
  HIGH: 'red',
}

/** A status; its colour says nothing that its words do not. */
export function Status({ code }: { readonly code: string }) {
  return (
    <Badge color={colors[code] ?? 'gray'} miw="max-content">
      {words(code)}
    </Badge>
  )
}
