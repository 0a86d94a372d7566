/** Reads typed texts into values. A malformed text is a UsageError that names the option. It looks nothing up. */
import * as v from 'valibot'
import { isCurrency } from '../../domain/accounting/currencies.ts'
import { readInt64 } from '../../kit/api/field-readers.ts'
import { date, timestamp } from '../../kit/api/fields.ts'
import { type Input, UsageError } from './command.ts'

const TEXT_LENGTH_MAX = 255
const EMAIL_LENGTH_MAX = 254

/** Reads one typed text. `label` is its name in messages (`--burst`). */
export type Reader<T> = (text: string, label: string) => T

function fail(label: string, reason: string): never {
  throw new UsageError(`${label} ${reason}`)
}

/** An option's value, or undefined when it was not given. */
export function optional<T>(input: Input, name: string, read: Reader<T>): T | undefined {
  const text = input.options[name]
  return text === undefined ? undefined : read(text, `--${name}`)
}

/** The value of an option that the parser has required. */
export function required<T>(input: Input, name: string, read: Reader<T>): T {
  return optional(input, name, read) ?? fail(`--${name}`, 'is required')
}

export const text: Reader<string> = (typed, label) => {
  const trimmed = typed.trim()
  if (trimmed === '') fail(label, 'must not be empty')
  if (trimmed.length > TEXT_LENGTH_MAX) fail(label, `must have at most ${TEXT_LENGTH_MAX} characters`)
  if (/\p{Cc}/u.test(trimmed)) fail(label, 'must not hold control characters')
  return trimmed
}

export const id: Reader<string> = (typed, label) => {
  const value = readInt64(typed)
  return value === undefined || value.startsWith('-') ? fail(label, 'must be a whole number') : value
}

export const whole =
  (min: number, max: number): Reader<number> =>
  (typed, label) => {
    const value = /^\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN
    return value >= min && value <= max ? value : fail(label, `must be a whole number between ${min} and ${max}`)
  }

export const oneOf =
  <const T extends string>(values: readonly T[]): Reader<T> =>
  (typed, label) =>
    values.find(value => value === typed) ?? fail(label, `must be one of ${values.join(', ')}`)

/** Good enough to send a mail to: the mail itself is the proof. */
export const email: Reader<string> = (typed, label) =>
  typed.length <= EMAIL_LENGTH_MAX && /^[^\s@<>(),;:"\\]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(typed)
    ? typed
    : fail(label, 'must be an e-mail address')

export const currency: Reader<string> = (typed, label) =>
  isCurrency(typed) ? typed : fail(label, 'must be an ISO 4217 currency code like EUR')

/** `2026-10-31` */
export const day: Reader<string> = (typed, label) => {
  const result = v.safeParse(date(), typed)
  return result.success ? result.output : fail(label, 'must be a calendar day (YYYY-MM-DD)')
}

/** A date or timestamp as `2026-11-21T05:00:00.000Z`. */
export const moment: Reader<string> = (typed, label) => {
  const result = v.safeParse(timestamp(), typed)
  return result.success ? result.output : fail(label, 'must be an ISO-8601 date or timestamp')
}

/** A typed text that may be shown and stored: an address without its password. Other texts unchanged. */
export function withoutPassword(typed: string): string {
  if (!URL.canParse(typed) || !typed.includes('://')) return typed
  const url = new URL(typed)
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}
