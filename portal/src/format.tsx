/** How numbers, dates and codes are shown: in the browser's format, every digit kept. */
import { Badge } from '@mantine/core'
import { dayOf, timeZone } from './days.ts'
import type { Decimal } from './exact.ts'

/** Exchange rates have most decimals. */
const DECIMALS_MAX = 10

const quantities = new Intl.NumberFormat(undefined, { maximumFractionDigits: DECIMALS_MAX })
const counts = new Intl.NumberFormat()
// The rule of all screens: dates of documents are days in the tenant's time zone, as the API compares them. Times of events are in the
// reader's time zone. The shell says so once (`timeZoneNote`).
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const moneys = new Map<string, Intl.NumberFormat>()

export const quantityText = (value: Decimal): string => quantities.format(value)

export const countText = (value: number): string => counts.format(value)

/** Amounts have the decimals of the currency, costs and prices may have more. No digit is cut. */
export function moneyText(value: Decimal, currency: string): string {
  const format =
    moneys.get(currency) ??
    new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: DECIMALS_MAX })
  moneys.set(currency, format)
  return format.format(value)
}

/** Totals in the currency's own decimals; `Total` of screens/today/stock-value.tsx shows the others on request. */
export const totalText = (value: Decimal, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value)

export const timeZoneNote = (): string =>
  `Times are of ${instants.resolvedOptions().timeZone}. Dates of documents are days of ${timeZone()}.`

export const dayText = (timestamp: string | null): string =>
  timestamp === null ? '–' : days.format(new Date(dayOf(timestamp)))

export const instantText = (timestamp: string | null): string =>
  timestamp === null ? '–' : instants.format(new Date(timestamp))

/** When something happened. The exact time is a tooltip. */
export function Instant({ at }: { readonly at: string | null }) {
  return at === null ? (
    '–'
  ) : (
    <time dateTime={at} title={at} className="whole">
      {instantText(at)}
    </time>
  )
}

/** The code `PARTIALLY_SHIPPED` as words. */
export const words = (code: string): string => capital(code.replaceAll('_', ' ').toLowerCase())

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const colors: Readonly<Record<string, readonly string[]>> = {
  blue: ['OPEN', 'IN_PROGRESS', 'PACKED', 'IN_STOCK', 'HELD', 'pending'],
  cyan: ['PARTIALLY_DONE', 'PARTIALLY_PACKED'],
  yellow: ['PARTIALLY_SHIPPED', 'PARTIALLY_RECEIVED'],
  orange: ['failing', 'refused', 'ELEVATED'],
  red: ['BLOCKED', 'failed', 'disabled', 'revoked', 'HIGH'],
  green: [
    ...['DONE', 'SHIPPED', 'RECEIVED', 'RETURNED', 'CONSUMED', 'NORMAL'],
    ...['succeeded', 'active', 'done', 'valid'],
  ],
}

/** What is not named is gray. */
const colorOf = (code: string): string => Object.keys(colors).find(color => colors[color]?.includes(code)) ?? 'gray'

/** A status; its colour says nothing that its words do not. */
export function Status({ code }: { readonly code: string }) {
  return (
    <Badge color={colorOf(code)} miw="max-content">
      {words(code)}
    </Badge>
  )
}
