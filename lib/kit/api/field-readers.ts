/** Reads raw JSON and query values exactly: ids, decimals, text, dates and timestamps. A refusal says why. */
import { parseScaled } from '../../platform/decimal.ts'
import { canonicalNumber, JsonNumber } from '../../platform/json.ts'

/** A reader throws it with the reason of the refusal. */
export class Unreadable extends Error {}

const INT64_MAX = 2n ** 63n - 1n

/** Refuses a value: `deny('must be a number')`. */
export function deny(reason: string): never {
  throw new Unreadable(reason)
}

/** int64 text from `"123"` or `123`; also for ids in paths. Undefined for any other value. */
export function readInt64(raw: unknown): string | undefined {
  const text = raw instanceof JsonNumber ? integerText(raw.text) : raw
  if (typeof text !== 'string' || !/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value > INT64_MAX || value < -INT64_MAX - 1n ? undefined : text
}

/** Plain digits of a whole JSON number (`12`, `12.0`, `1.2e1`) of at most 20 digits. */
export function integerText(text: string): string | undefined {
  return plainDecimal(text, 0, 20)
}

/** Matches most numbers, which are already plain decimals. */
const plainPattern = /^(?:0|[1-9]\d{0,14})(?:\.\d{0,5}[1-9])?$/
const isPlain = (text: string, places: number): boolean => {
  if (!plainPattern.test(text)) return false
  const point = text.indexOf('.')
  return point === -1 || text.length - point - 1 <= places
}

/** Plain decimal text of a JSON number. Undefined when it has too many decimals or digits. `wholeDigitsMax` is 15 or more. */
function plainDecimal(text: string, places: number, wholeDigitsMax: number): string | undefined {
  if (isPlain(text, places)) return text
  const canonical = canonicalNumber(text)
  if (canonical === '0') return '0'
  const [mantissa = '', exponentText = ''] = canonical.split('e')
  if (exponentText.length > 6) return undefined
  const exponent = Number(exponentText)
  const negative = mantissa.startsWith('-')
  const digits = negative ? mantissa.slice(1) : mantissa
  if (-exponent > places || digits.length + exponent > wholeDigitsMax) return undefined
  const whole = exponent >= 0 ? digits + '0'.repeat(exponent) : digits.slice(0, exponent) || '0'
  const fraction = exponent >= 0 ? '' : digits.slice(exponent).padStart(-exponent, '0')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

type DecimalLimits = {
  readonly places: number
  /** The least value, itself allowed (`min`) or not (`moreThan`), as plain decimal text. */
  readonly min?: string
  readonly moreThan?: string
  /** The greatest value, itself allowed (`max`) or not (`lessThan`). */
  readonly max?: string
  readonly lessThan?: string
}

/** Makes a reader of decimals within limits. Output: plain decimal text. */
export function decimalReader({ places, ...limits }: DecimalLimits): (raw: unknown) => string {
  const bound = (text: string | undefined) => (text === undefined ? undefined : parseScaled(text, places))
  const [moreThan, min] = [bound(limits.moreThan), bound(limits.min)]
  const [max, lessThan] = [bound(limits.max), bound(limits.lessThan)]
  return raw => {
    if (!(raw instanceof JsonNumber)) return deny('must be a number')
    const plain = plainDecimal(raw.text, places, 30)
    if (plain === undefined) {
      const isInRange = plainDecimal(raw.text, 30, 30) !== undefined
      return deny(isInRange ? `must have at most ${places} decimals` : 'is out of range')
    }
    const value = parseScaled(plain, places)
    if (moreThan !== undefined && value <= moreThan) deny(`must be greater than ${limits.moreThan}`)
    if (min !== undefined && value < min) deny(`must be ${limits.min} or more`)
    if (max !== undefined && value > max) deny(`must be ${limits.max} or less`)
    if (lessThan !== undefined && value >= lessThan) deny(`must be less than ${limits.lessThan}`)
    return plain
  }
}

/** A text that names something. It is stored and compared in Unicode NFC. */
export const readIdentifier = (raw: unknown, lengthMax: number): string =>
  readText(typeof raw === 'string' ? raw.normalize('NFC') : raw, lengthMax, 1)

export function readText(raw: unknown, lengthMax: number, lengthMin: number): string {
  if (typeof raw !== 'string') return deny('must be a string')
  if (raw.includes('\u0000')) return deny('must not contain the character U+0000')
  if (!raw.isWellFormed()) return deny('must be well-formed Unicode (a surrogate stands alone)')
  const text = raw.trim()
  if (text.length < lengthMin) return deny('must not be empty')
  if (text.length > lengthMax && [...text].length > lengthMax) return deny(`must have at most ${lengthMax} characters`)
  return text
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timestampPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/

/** Midnight UTC of an ISO-8601 calendar date from year 1 on, in ms since 1970. Undefined when there is no such day. */
export function dayOf(text: string): number | undefined {
  if (!datePattern.test(text) || text.startsWith('0000')) return undefined
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return Number.isNaN(time) || isoText(time)?.slice(0, 10) !== text ? undefined : time
}

/** The ISO-8601 text of a moment in UTC. Undefined outside the years 1 to 9999, which an offset may cause. */
function isoText(time: number): string | undefined {
  const text = new Date(time).toISOString()
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : undefined
}

/** Offset of `Z`, `+02`, `+0200` or `-02:00` in minutes; undefined when out of range. */
function offsetMinutes(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

type TimestampOptions = {
  readonly offsetRequired?: boolean
  /** The moment at which a day without a time begins. Undefined: at midnight UTC. */
  readonly startOfDay?: (day: string) => string
}

/** Reads an ISO-8601 date or timestamp as `2026-11-21T05:00:00.000Z`. */
export function readTimestamp(raw: unknown, options: TimestampOptions = {}): string | undefined {
  if (typeof raw !== 'string') return undefined
  const day = dayOf(raw)
  if (day !== undefined) {
    if (options.offsetRequired) return undefined
    return isoText(options.startOfDay ? Date.parse(options.startOfDay(raw)) : day)
  }
  const match = timestampPattern.exec(raw)
  const date = match ? dayOf(match[1] ?? '') : undefined
  if (!match || date === undefined) return undefined
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? '0')]
  const offset = offsetMinutes(match[6])
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined
  if (options.offsetRequired && match[6] === undefined) return undefined
  const milliseconds = Number((match[5] ?? '0').padEnd(3, '0').slice(0, 3))
  return isoText(date + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
}
