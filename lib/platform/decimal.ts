/** Exact decimal arithmetic with scaled BigInts: quantities and prices count millionths, costs count ten-thousandths. */

/** Decimals of a quantity or price. */
export const MICRO_PLACES = 6
/** Decimals of a cost or stock value. */
export const COST_PLACES = 4
/** Decimals of the stock units in one purchase unit: an ounce is 0.028349523 kg. */
export const CONVERSION_RATE_PLACES = 9
/** Decimals of an exchange rate: a rupiah is 0.0000525 euro. */
export const EXCHANGE_RATE_PLACES = 10

/** Millionths: a quantity in units, or a price in the document's currency. */
export type Micro = bigint
/** Ten-thousandths of the tenant's currency. */
export type Cost = bigint

const powersOfTen = Array.from({ length: 40 }, (_, n) => 10n ** BigInt(n))

/** 10^n for 0 <= n < 40. */
export function powerOfTen(n: number): bigint {
  const power = powersOfTen[n]
  if (power === undefined) throw new RangeError(`no power of ten ${n}`)
  return power
}

/** As numbers, which are exact up to 2^53. Most decimals are read and printed this way, in a third of the time of BigInts. */
const numbersOfTen = Array.from({ length: 16 }, (_, n) => 10 ** n)
/** Digits that a number always represents exactly. */
const EXACT_DIGITS = 15

/** The most characters of a decimal: reading twice as many digits into a BigInt takes more than twice as long. */
const TEXT_LENGTH_MAX = 100

/** Removes trailing zeros. A pattern (`/0+$/`) takes four times as long for twice as many zeros. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/**
 * Reads plain decimal text (`-12.5`, as PostgreSQL prints numeric) as an integer count of 10^-places.
 * @throws RangeError when the text has more than `places` decimals (other than zeros), is no decimal, or is too long
 */
export function parseScaled(text: string, places: number): bigint {
  const short = shortScaled(text, places)
  if (short !== undefined) return BigInt(short)
  if (text.length > TEXT_LENGTH_MAX) throw new RangeError(`a decimal of ${text.length} characters`)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`not a decimal: ${text}`)
  const fraction = withoutTrailingZeros(match[3] ?? '')
  if (fraction.length > places) throw new RangeError(`more than ${places} decimals: ${text}`)
  const magnitude = BigInt((match[2] ?? '0') + fraction.padEnd(places, '0'))
  return match[1] === '-' ? -magnitude : magnitude
}

/** Reads a plain decimal with few digits. Undefined for any other text, which `parseScaled` then reads. */
function shortScaled(text: string, places: number): number | undefined {
  // The digits, with a sign and a decimal point.
  if (text.length > EXACT_DIGITS + 2) return undefined
  const isNegative = text.startsWith('-')
  let count = 0
  let digits = 0
  let wholeDigits: number | undefined
  for (let at = isNegative ? 1 : 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) {
      count = 10 * count + code - ZERO
      digits++
    } else if (code === POINT && wholeDigits === undefined && digits > 0) wholeDigits = digits
    else return undefined
  }
  const decimals = digits - (wholeDigits ?? digits)
  if (digits === 0 || (wholeDigits !== undefined && decimals === 0)) return undefined
  if (decimals > places || digits + places - decimals > EXACT_DIGITS) return undefined
  const scaled = count * (numbersOfTen[places - decimals] ?? Number.NaN)
  return isNegative ? -scaled : scaled
}
const [POINT, ZERO, NINE] = [46, 48, 57] as const

/** Prints a scaled integer as plain decimal text without trailing zeros (`12.5`, `-3`, `0`). */
export function formatScaled(value: bigint, places: number): string {
  const unit = numbersOfTen[places]
  const count = Number(value)
  if (unit !== undefined && Number.isSafeInteger(count)) {
    const fraction = count % unit
    if (fraction === 0) return String(count / unit || 0)
  }
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = withoutTrailingZeros(digits.slice(digits.length - places))
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * numerator / denominator, rounded half away from zero.
 * @throws RangeError for a denominator that is not positive
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be positive')
  const magnitude = numerator < 0n ? -numerator : numerator
  const quotient = (2n * magnitude + denominator) / (2n * denominator)
  return numerator < 0n ? -quotient : quotient
}

export const parseMicro = (text: string): Micro => parseScaled(text, MICRO_PLACES)
export const formatMicro = (value: Micro): string => formatScaled(value, MICRO_PLACES)
export const parseCost = (text: string): Cost => parseScaled(text, COST_PLACES)
export const formatCost = (value: Cost): string => formatScaled(value, COST_PLACES)

const ONE = powerOfTen(MICRO_PLACES)

/** Ten-thousand-millionths: the tenant's currency per unit of a document's currency. */
export type ExchangeRate = bigint

/** Billionths: stock units in one purchase unit. */
export type ConversionRate = bigint

export const parseConversionRate = (text: string): ConversionRate => parseScaled(text, CONVERSION_RATE_PLACES)

export const parseExchangeRate = (text: string): ExchangeRate => parseScaled(text, EXCHANGE_RATE_PLACES)

/** quantity * unit price, both in millionths, as a cost: `round(q * c, 4)`. */
export function costOf(quantity: Micro, unitPrice: Micro): Cost {
  return divideRounded(quantity * unitPrice, powerOfTen(2 * MICRO_PLACES - COST_PLACES))
}

/** Decimals of a percentage: a tax rate or a discount. */
export const PERCENT_PLACES = 4
/** Ten-thousandths of a percent. */
export type Percent = bigint

export const HUNDRED_PERCENT: Percent = powerOfTen(PERCENT_PLACES + 2)
export const formatPercent = (value: Percent): string => formatScaled(value, PERCENT_PLACES)

/** A price, and the number of units it is for. */
export type UnitPrice = { readonly price: Micro; readonly per: Micro }

/** A price for one unit. */
export const each = (price: Micro): UnitPrice => ({ price, per: ONE })

/** As `costOf`, less a discount, for a price in another currency. Rounded once, to the decimals of a cost. */
export function costAbroad(
  goods: UnitPrice & {
    readonly quantity: Micro
    readonly discount: Percent
    readonly exchangeRate: ExchangeRate
  },
): Cost {
  const { quantity, price, per, discount, exchangeRate } = goods
  return divideRounded(
    quantity * price * (HUNDRED_PERCENT - discount) * exchangeRate,
    HUNDRED_PERCENT * per * powerOfTen(MICRO_PLACES + EXCHANGE_RATE_PLACES - COST_PLACES),
  )
}
