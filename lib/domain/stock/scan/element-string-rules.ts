/** Reads GS1 element strings: which codes are element strings, and the values of their fields. Pure: the caller passes the year. */

import { gtinOf, hasCheckDigit } from '../../catalogue/gtin.ts'
import { type Identifier, identifierAt, identifierOf } from './application-identifiers.ts'

/** The fields of an element string. Days are `2026-11-30`, the quantity is decimal text. */
export type Elements = {
  /** 14 digits. */
  readonly gtin: string | null
  readonly batchNumber: string | null
  readonly manufactureDate: string | null
  readonly expiryDate: string | null
  readonly serialNumber: string | null
  readonly quantity: string | null
  readonly sscc: string | null
}

/**
 * `marked`: the code is certainly an element string. `bare`: it may be one, unless a sku or barcode has this text. `plain`: it is none.
 * `fault`: why the element string is broken.
 */
export type Read =
  | { readonly is: 'marked' | 'bare'; readonly elements: Elements }
  | { readonly is: 'plain'; readonly text: string }
  | { readonly is: 'broken'; readonly fault: string }

/** The separator ends a field of variable length. Scanners send it for FNC1. */
const SEPARATOR = '\u001d'
/** GS1-128, GS1 DataMatrix, GS1 QR Code, GS1 DataBar, GS1 DotCode. */
const ELEMENT_STRINGS = /^\](?:C1|d2|Q3|e0|J1)/
/** EAN-13 and UPC, EAN-8, ITF-14. */
const PLAIN_CODES = /^\](?:E0|E4|I1)/
const BRACKETS = /^\(\d{2,4}\)/

/** @param year the present year, which decides the century of dates */
export function readCode(code: string, year: number): Read {
  if (PLAIN_CODES.test(code)) return { is: 'plain', text: code.slice(3) }
  const isNamed = ELEMENT_STRINGS.test(code)
  const text = isNamed ? code.slice(3) : code
  const isMarked = isNamed || text.includes(SEPARATOR) || BRACKETS.test(text)
  if (!isMarked && !/^0[012]\d/.test(text)) return { is: 'plain', text }
  const elements = elementsOf(text, { year, before: code.length - text.length })
  if (typeof elements !== 'string') return { is: isMarked ? 'marked' : 'bare', elements }
  return isMarked ? { is: 'broken', fault: elements } : { is: 'plain', text }
}

type Field = { readonly identifier: Identifier; readonly value: string; readonly at: number }

type Around = {
  readonly year: number
  /** How many characters of the code come before the text. */
  readonly before: number
}

/** The fields of an element string, or what is wrong with it. */
function elementsOf(text: string, { year, before }: Around): Elements | string {
  const fields = BRACKETS.test(text) ? inBrackets(text) : inARow(text, before)
  if (typeof fields === 'string') return fields
  const values = new Map<string, string>()
  for (const field of fields) {
    const {
      identifier: { ai },
      value,
      at,
    } = field
    const fault = faultOf(field, year)
    if (fault !== null) return `${fault} in (${ai}) at character ${before + at + 1}`
    if ((values.get(ai) ?? value) !== value) return `(${ai}) stands there twice, again at character ${before + at + 1}`
    values.set(ai, value)
  }
  if (values.size === 0) return 'nothing follows'
  return said(values, year)
}

/** Reads identifiers in brackets, as labels print them. A value ends where the next bracket begins. */
function inBrackets(text: string): Field[] {
  const fields: Field[] = []
  const parts = [...text.matchAll(/\((\d{2,4})\)/g)]
  for (const [index, { 1: ai = '', 0: bracketed, index: start }] of parts.entries()) {
    const at = start + bracketed.length
    const value = text.slice(at, parts[index + 1]?.index ?? text.length).replaceAll(SEPARATOR, '')
    const identifier = identifierOf(ai) ?? { ai, min: 1, max: Number.POSITIVE_INFINITY, isPredefined: false }
    fields.push({ identifier, value, at })
  }
  return fields
}

function inARow(text: string, before: number): Field[] | string {
  const fields: Field[] = []
  let at = text.startsWith(SEPARATOR) ? 1 : 0
  while (at < text.length) {
    const identifier = identifierAt(text, at)
    if (identifier === undefined) return `no identifier of a known length begins at character ${before + at + 1}`
    const start = at + identifier.ai.length
    const separator = text.indexOf(SEPARATOR, start)
    const until = separator === -1 ? text.length : separator
    const end = identifier.isPredefined ? Math.min(start + identifier.max, until) : until
    fields.push({ identifier, value: text.slice(start, end), at: start })
    at = text[end] === SEPARATOR ? end + 1 : end
  }
  return fields
}

const WITH_CHECK_DIGIT: ReadonlySet<string> = new Set(['00', '01', '02'])
const DATES: ReadonlySet<string> = new Set(['11', '15', '17'])
const COUNTS: ReadonlySet<string> = new Set(['30', '37'])
const isWeight = (ai: string): boolean => ai.startsWith('310')

function faultOf({ identifier: { ai, min, max }, value }: Field, year: number): string | null {
  if (value.length < min || value.length > max)
    return `${value.length} characters, where ${min === max ? min : `${min} to ${max}`} are expected,`
  if (WITH_CHECK_DIGIT.has(ai))
    return !/^\d+$/.test(value) ? 'no number' : hasCheckDigit(value) ? null : 'a wrong check digit'
  if (DATES.has(ai)) return dayOf(value, year) === null ? 'no date' : null
  if (COUNTS.has(ai)) return /^\d+$/.test(value) ? null : 'no number'
  if (isWeight(ai)) return /^\d+$/.test(value) && Number(ai[3]) <= 5 ? null : 'no weight'
  return null
}

function said(values: ReadonlyMap<string, string>, year: number): Elements {
  const get = (ai: string): string | null => values.get(ai) ?? null
  const day = (ai: string): string | null => {
    const value = get(ai)
    return value === null ? null : dayOf(value, year)
  }
  const gtin = get('01') ?? get('02')
  return {
    gtin: gtin === null ? null : gtinOf(gtin),
    batchNumber: get('10'),
    manufactureDate: day('11'),
    expiryDate: day('17') ?? day('15'),
    serialNumber: get('21'),
    quantity: countOf(get('37') ?? get('30')) ?? weightOf(values),
    sscc: get('00'),
  }
}

const countOf = (digits: string | null): string | null => (digits === null ? null : String(Number(digits)))

/** `3103001250`: 1.25 kg. */
function weightOf(values: ReadonlyMap<string, string>): string | null {
  for (const [ai, value] of values) {
    if (!isWeight(ai)) continue
    const places = Number(ai[3])
    const fraction = value.slice(value.length - places).replace(/0+$/, '')
    return `${Number(value.slice(0, value.length - places))}${places === 0 || fraction === '' ? '' : `.${fraction}`}`
  }
  return null
}

/** Reads a day of `YYMMDD`. Day 00 is the last day of the month. Null if there is no such day. */
function dayOf(value: string, year: number): string | null {
  const [, yy = '', mm = '', dd = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(value) ?? []
  const month = Number(mm)
  if (month < 1 || month > 12) return null
  const full = yearOf(Number(yy), year)
  const last = new Date(Date.UTC(full, month, 0)).getUTCDate()
  const day = dd === '00' ? last : Number(dd)
  return day < 1 || day > last ? null : `${full}-${mm}-${String(day).padStart(2, '0')}`
}

/**
 * Two digits mean a year less than 50 years after the present one and at most 50 before it (General Specifications, "Determination of
 * century in dates").
 */
function yearOf(digits: number, year: number): number {
  const difference = digits - (year % 100)
  const century = year - (year % 100)
  return century + digits + (difference >= 51 ? -100 : difference <= -50 ? 100 : 0)
}
