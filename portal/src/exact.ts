/** Numbers of the API as texts, so that none passes through binary floating point. Big calculates; `Number` is for pixels only. */
import type { EventStream, List, Millrace } from '@millrace/client'
import Big from 'big.js'

/** A number as the service wrote it. */
export type Decimal = `${number}`

/** A document whose numbers are texts. */
export type Exact<T> = T extends number
  ? Decimal
  : T extends readonly (infer Each)[]
    ? Exact<Each>[]
    : T extends object
      ? { [Name in keyof T]: Exact<T[Name]> }
      : T

/** The client with exact answers. */
export type ExactApi<Group = Omit<Millrace, 'bulk'>> = {
  readonly [Name in keyof Group]: Group[Name] extends (...taken: infer Taken) => infer Answer
    ? (...taken: Taken) => ExactAnswer<Answer>
    : ExactApi<Group[Name]>
}

type ExactAnswer<Answer> =
  Answer extends List<infer Each>
    ? List<Exact<Each>>
    : Answer extends EventStream<infer Each>
      ? EventStream<Exact<Each>>
      : Answer extends Promise<infer One>
        ? Promise<Exact<One>>
        : never

type Source = { readonly source?: string }

/** Parses JSON with every number as its text. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, (_name: string, value: unknown, context?: Source) =>
    typeof value === 'number' ? context?.source : value,
  )

/** JSON with a function that writes a number from its text. Not every type library has it. */
const exactJson = JSON as JSON & { rawJSON?: (text: string) => unknown }

/** Parses JSON for display: `JSON.stringify` writes every number as it was, and no calculation with it is possible. */
export const readVerbatim = (text: string): unknown =>
  JSON.parse(text, (_name: string, value: unknown, context?: Source) =>
    typeof value === 'number' ? exactJson.rawJSON?.(context?.source ?? '') : value,
  )

/** Whether this browser reads and writes numbers without changing them. */
export const keepsNumbers =
  (readJson('[1.10]') as readonly unknown[])[0] === '1.10' && typeof exactJson.rawJSON === 'function'

/** A decimal for a request's body, written unchanged. */
export const sent = (value: Decimal): number => exactJson.rawJSON?.(value) as number

export const sum = (values: readonly Decimal[]): Decimal =>
  text(values.reduce((total, value) => total.plus(value), Big(0)))

export const minus = (from: Decimal, value: Decimal): Decimal => text(Big(from).minus(value))

export const times = (value: Decimal, by: Decimal): Decimal => text(Big(value).times(by))

/** A quantity times a factor, rounded as a quantity. */
export const timesRounded = (value: Decimal, by: Decimal): Decimal =>
  text(Big(value).times(by).round(QUANTITY_DECIMALS, Big.roundHalfUp))

/** The share of a quantity that a part has in its whole. */
export const share = (of: Decimal, { part, whole }: { readonly part: Decimal; readonly whole: Decimal }): Decimal =>
  text(Big(of).times(part).div(whole).round(QUANTITY_DECIMALS, Big.roundHalfUp))

/** The most decimals of a quantity. */
const QUANTITY_DECIMALS = 6

/** The exact quotient; null if it is no quantity. */
export function quotient(value: Decimal, by: Decimal): Decimal | null {
  const found = Big(value).div(by).round(QUANTITY_DECIMALS)
  return found.times(by).eq(value) ? text(found) : null
}

/** Compares two decimals for a sort. */
export const compare = (one: Decimal, other: Decimal): number => Big(one).cmp(other)

/** The cost of a quantity, rounded half up to the decimals of a cost. */
export const cost = (quantity: Decimal, each: Decimal): Decimal =>
  text(Big(quantity).times(each).round(4, Big.roundHalfUp))

/** The cost of one piece, to 4 decimals. */
export const perOne = (cost: Decimal, output: Decimal): Decimal =>
  isZero(output) ? '0' : text(Big(cost).div(output).round(4, Big.roundHalfUp))

export const greater = (one: Decimal, other: Decimal): Decimal => (Big(one).gt(other) ? one : other)

export const negated = (value: Decimal): Decimal => minus('0', value)

export const isSame = (one: Decimal, other: Decimal): boolean => Big(one).eq(other)

export const isPositive = (value: Decimal): boolean => Big(value).gt(0)

export const isZero = (value: Decimal): boolean => Big(value).eq(0)

const text = (value: Big): Decimal => value.toFixed() as Decimal

const DECIMAL_POINT = new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** Reads a typed number in the browser's format, without grouping (`1,5` where a comma is the decimal sign); null if it is no number. */
export function typed(input: string): Decimal | null {
  const plain = input.trim().replace(DECIMAL_POINT, '.')
  if (DECIMAL_POINT !== '.' && input.includes('.')) return null
  return /^-?\d+(\.\d+)?$/.test(plain) ? (plain as Decimal) : null
}

/** A typed number for a request's body. The form's rules have checked it. */
export const sentTyped = (input: string): number => sent(typed(input) ?? '0')

/** As `sentTyped`, for a field that may be empty. */
export const sentUnlessEmpty = (input: string): number | undefined =>
  input.trim() === '' ? undefined : sentTyped(input)

/** A decimal in the form in which a person types it. */
export const forTyping = (value: Decimal): string => value.replace('.', DECIMAL_POINT)

export const typedHint =
  DECIMAL_POINT === '.' ? 'a number like 1.5' : `a number like 1${DECIMAL_POINT}5, without grouping`
