/**
 * Reads numbers as people and programs write them, with a comma or a point before the decimals. Pure. The command line and the portal
 * both read cells of numbers with it.
 */

/** What stands before the decimals. The other one may separate thousands. */
export type DecimalSign = 'comma' | 'point'

/** The service takes no longer numbers. */
const NUMBER_LENGTH_MAX = 100

const PLAIN = {
  comma: /^([+-]?)(\d*)(?:,(\d*))?((?:[eE][+-]?\d+)?)$/,
  point: /^([+-]?)(\d*)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/,
}
const IN_THOUSANDS = {
  comma: /^([+-]?)([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d*))?()$/,
  point: /^([+-]?)([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d*))?()$/,
}

/** A number (`.50`, `007`, `+1`, `1.250,50`) in JSON's spelling and with all its digits; null where the text is none. */
export function readNumber(text: string, sign: DecimalSign): string | null {
  if (text.length > NUMBER_LENGTH_MAX) return null
  const [, minus, grouped = '', fraction = '', exponent = ''] =
    PLAIN[sign].exec(text) ?? IN_THOUSANDS[sign].exec(text) ?? []
  const digits = grouped.replace(/[.,]/g, '')
  if (digits + fraction === '') return null
  const whole = digits.replace(/^0+(?=.)/, '') || '0'
  return `${minus === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent}`
}

/** A number of a file, and where it stands. */
export type NumberCell = { readonly line: number; readonly column: string; readonly text: string }

/** Why a file's numbers cannot be read before somebody says which sign stands before their decimals. */
export type SignFault = NumberCell & {
  /** `either`: the number means two things. `mixed`: another one, `before`, has the other sign. */
  readonly why: 'either' | 'mixed'
  readonly before?: NumberCell
}

/** @returns hears of the numbers of a file one by one, and answers a fault or null; `found` is the sign of those that it heard of. */
export function signFinder(): {
  readonly hear: (cell: NumberCell) => SignFault | null
  readonly found: () => DecimalSign
} {
  let known: { readonly sign: DecimalSign; readonly cell: NumberCell } | undefined
  return {
    hear: cell => {
      const [comma, point] = [readNumber(cell.text, 'comma'), readNumber(cell.text, 'point')]
      if (comma === point) return null
      if (comma !== null && point !== null) return { ...cell, why: 'either' }
      const sign = comma === null ? 'point' : 'comma'
      known ??= { sign, cell }
      return known.sign === sign ? null : { ...cell, why: 'mixed', before: known.cell }
    },
    found: () => known?.sign ?? 'point',
  }
}

/** The fault in words, without what is to be done. */
export function signFaultText({ line, column, text, before }: SignFault): string {
  if (before !== undefined)
    return `line ${line}: ${column}: "${text}" has another decimal sign than "${before.text}" on line ${before.line}`
  const [comma, point] = [readNumber(text, 'comma'), readNumber(text, 'point')]
  return `line ${line}: ${column}: "${text}" is ${comma} with a decimal comma, and ${point} with a decimal point`
}
