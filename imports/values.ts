/**
 * Values of rows and records: JSON whose numbers keep all their digits, and when two of them are the same. Pure: no I/O and no clock.
 */

/** JSON that can write a number from its text; not every type library knows it. */
const rawJson = (JSON as JSON & { rawJSON?: (text: string) => unknown }).rawJSON

/** A number in JSON's spelling, with all its digits. `JSON.stringify` writes it as it is. */
export class Figure {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): unknown {
    return rawJson?.(this.text)
  }
  toString(): string {
    return this.text
  }
}

export type Value = null | boolean | string | Figure | Value[] | Fields
export type Fields = { [name: string]: Value }

export const isFields = (value: Value | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Figure)

export const fieldsIn = (value: Value | undefined): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : []

/** The text without white space around it; null where there is none. */
export function textIn(value: Value | undefined): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** JSON with every number as a figure. */
export const readValue = (text: string): Value =>
  JSON.parse(text, (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new Figure(context?.source ?? String(value)) : value,
  )

/** One text for all spellings of the same value: sorted names, no white space, canonical numbers. */
export function canonical(value: Value): string {
  if (value instanceof Figure) return canonicalNumber(value.text)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  let last = digits.length
  while (digits[last - 1] === '0') last--
  const significant = digits.slice(0, last)
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(power) + BigInt(digits.length - last - fraction.length)}`
}

/** The endpoint trims text, and keeps texts that name things in Unicode NFC. A missing part of an object, such as an address, is null. */
export function sameValue(asked: Value, found: Value | undefined): boolean {
  if (isFields(asked) && isFields(found))
    return Object.keys({ ...asked, ...found }).every(name => sameValue(asked[name] ?? null, found[name] ?? null))
  if (typeof asked === 'string' && typeof found === 'string')
    return asked.trim().normalize('NFC') === found.normalize('NFC')
  return found !== undefined && canonical(asked) === canonical(found)
}

/** Whether the record has every given field with the same value. */
export const sameFields = (asked: Fields, found: Fields): boolean =>
  Object.entries(asked).every(([name, value]) => sameValue(value, found[name]))

/** What the row says else than the record. Of objects, such as an address, the record keeps the parts that the row leaves out. */
export function differenceOf(row: Fields, found: Fields): Fields {
  const differing: Fields = Object.create(null)
  for (const [name, given] of Object.entries(row)) {
    const before = found[name]
    const value = isFields(given) && isFields(before) ? { ...before, ...given } : given
    if (!sameValue(value, before)) differing[name] = value
  }
  return differing
}
