/** Exact decimals of shops, as BigInts that count millionths. Amounts are rounded half away from zero. */

/** Millionths of a currency unit, a piece or a percent. */
export type Micro = bigint

/** A decimal as a shop's JSON has it. */
export type Decimal = string | number

/** What a shop said cannot be said to Millrace exactly. The message begins with the name of the shop's field. */
export class ShopFieldError extends Error {
  override name = 'ShopFieldError'
  readonly field: string
  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`)
    this.field = field
  }
}

const PLACES = 6
const ONE: Micro = 1_000_000n

/** Reads a decimal; absent and empty are 0. It throws where there are more than 6 decimals. */
export function micro(value: Decimal | null | undefined, field: string): Micro {
  return read(value, field, { mayRound: false })
}

/** As `micro`, but further decimals are rounded: for figures that a shop has not rounded itself. */
export function nearestMicro(value: Decimal | null | undefined, field: string): Micro {
  return read(value, field, { mayRound: true })
}

function read(value: Decimal | null | undefined, field: string, { mayRound }: { mayRound: boolean }): Micro {
  const text = String(value ?? '').trim()
  if (text === '') return 0n
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,40}))?$/.exec(text) ?? []
  if (whole === '') throw new ShopFieldError(field, `${text} is no plain decimal`)
  const rest = decimals.slice(PLACES)
  if (!mayRound && /[1-9]/.test(rest)) throw new ShopFieldError(field, `${text} has more than ${PLACES} decimals`)
  const count = BigInt(whole + decimals.slice(0, PLACES).padEnd(PLACES, '0')) + (rest >= '5' ? 1n : 0n)
  return sign === '-' ? -count : count
}

/** The number that JSON writes with exactly these digits. */
export function toNumber(value: Micro, field: string): number {
  const text = toText(value)
  const number = Number(text)
  if (String(number) !== text) throw new ShopFieldError(field, `${text} has more digits than a JSON number keeps`)
  return number
}

/** Plain decimal text without trailing zeros. */
export function toText(value: Micro): string {
  const digits = size(value)
    .toString()
    .padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0{1,6}$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`
}

export const size = (value: bigint): bigint => (value < 0n ? -value : value)
export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

/** numerator / denominator as an integer, half away from zero. The denominator is above 0. */
export function divided(numerator: bigint, denominator: bigint): bigint {
  const quotient = (2n * size(numerator) + denominator) / (2n * denominator)
  return numerator < 0n ? -quotient : quotient
}

/** Rounded to a multiple of `unit`. */
export const roundedTo = (value: Micro, unit: Micro): Micro => divided(value, unit) * unit

/** quantity * price, rounded to a multiple of `unit`. */
export const costs = (quantity: Micro, price: Micro, unit: Micro): Micro => divided(quantity * price, ONE * unit) * unit

/** `of` per piece, rounded to 6 decimals. */
export const perPiece = (of: Micro, quantity: Micro): Micro => divided(of * ONE, quantity)

/** 100 times a rate of 0.19: 19 percent. */
export const percentOf = (rate: Decimal | null | undefined, field: string): Micro =>
  percent(100n * micro(rate, field), field)

/** A rate in percent, which Millrace takes with 4 decimals. */
export function percent(rate: Micro, field: string): Micro {
  if (rate % 100n !== 0n) throw new ShopFieldError(field, `${toText(rate)} percent has more than 4 decimals`)
  return rate
}

/** Currencies whose minor unit has another number of decimals than 2 (ISO 4217). */
const decimalsOf: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3] as const),
])

/** The smallest amount of a currency: 0.01 of EUR. */
export const minorUnit = (currency: string): Micro => 10n ** BigInt(PLACES - (decimalsOf.get(currency) ?? 2))

/** Reads an amount that the shop has rounded to its currency's minor unit. */
export function amount(value: Decimal | null | undefined, field: string, unit: Micro): Micro {
  const read = micro(value, field)
  if (read % unit !== 0n) throw new ShopFieldError(field, `${toText(read)} has more decimals than the currency`)
  return read
}
