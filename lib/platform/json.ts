/**
 * A strict JSON reader for request bodies: numbers keep their exact text, a duplicate key or too deep a nesting is an error.
 */

import { setImmediate as otherWork } from 'node:timers/promises'
import { withoutTrailingZeros } from './decimal.ts'

/** Characters of a number: a field takes at most 30 digits on either side of the point, and a double in full has 55. */
export const NUMBER_LENGTH_MAX = 100

/** Levels of arrays and objects: bodies have four at most (the attributes of a product's variants), pages of answers six. */
export const NESTING_MAX = 6

/** A JSON number as it was written, so that no digit is lost to binary floating point. */
export class JsonNumber {
  readonly text: string
  /** @throws RangeError beyond NUMBER_LENGTH_MAX characters. */
  constructor(text: string) {
    if (text.length > NUMBER_LENGTH_MAX) throw new RangeError('too long for a number')
    this.text = text
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/** What is wrong with a body, in words for its sender, and where: the field's path, or the body as a whole. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  readonly field: string
  constructor(message: string, field = 'body') {
    super(message)
    this.field = field
  }
}

export type JsonLimits = {
  /** Levels of arrays and objects: a text with more is an error. */
  readonly nestingMax?: number
  /** So many members of an object, and entries of an array, are kept. Those behind them are read and left out. */
  readonly membersKept?: number
  readonly entriesKept?: number
}

/**
 * Parses JSON text, in time that grows with its length alone.
 * @throws JsonSyntaxError naming the position, or the path of a duplicate key or of too long a number as its field.
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  return new Reader(text, limits).readOn(Number.POSITIVE_INFINITY) as JsonValue
}

/** Characters that are read before other work goes on: 32,000 zeros in a list take 2 ms. */
const SLICE = 64 * 1024

/** As `parseJson`, of a long text: other work goes on between its slices. */
export async function parseLongJson(text: string, limits: JsonLimits = {}): Promise<JsonValue> {
  const reader = new Reader(text, limits)
  for (;;) {
    const value = reader.readOn(SLICE)
    if (value !== undefined) return value
    await otherWork()
  }
}

/** Blanks after which a pattern goes on to look for their end. */
const NEAR = 64
const spacePattern = /[ \t\n\r]*/y
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, PLUS, COMMA, MINUS, POINT, ZERO, NINE, COLON] = [
  9, 10, 13, 32, 34, 43, 44, 45, 46, 48, 57, 58,
] as const
const [UPPER_E, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, LOWER_E, OPEN_OBJECT, CLOSE_OBJECT] = [
  69, 91, 92, 93, 101, 123, 125,
] as const

/**
 * Objects that inherit no name: a key `__proto__` or `constructor` is a key like any other, and refused as an unknown field. Those of
 * Object.create(null) are tables, which take twice as long to read.
 */
class Bare {
  [key: string]: JsonValue
}
Reflect.deleteProperty(Bare.prototype, 'constructor')
Object.setPrototypeOf(Bare.prototype, null)

/**
 * Reads by character codes instead of patterns, which takes half the time (2.0 ms against 3.7 ms for 2,500 lines of orders).
 */
class Reader {
  readonly #text: string
  readonly #limits: Required<JsonLimits>
  #at = 0
  /** Where this slice ends. */
  #end = 0
  /** Up to where a string is known whose end lies behind the slice, and whether it has an escape so far. */
  #scannedTo = 0
  #isEscaped = false
  /** Whether a key comes next. */
  #isAtKey = false
  /** The arrays and objects around the place that it reads, the outermost first, and the index or key in each. */
  readonly #around: (JsonValue[] | JsonObject)[] = []
  readonly #path: (string | number)[] = []
  /** How many members of each were kept. */
  readonly #kept: number[] = []

  constructor(
    text: string,
    {
      nestingMax = NESTING_MAX,
      membersKept = Number.POSITIVE_INFINITY,
      entriesKept = Number.POSITIVE_INFINITY,
    }: JsonLimits,
  ) {
    this.#text = text
    this.#limits = { nestingMax, membersKept, entriesKept }
  }

  /** Reads on by about so many characters: the value once it has all of it. */
  readOn(length: number): JsonValue | undefined {
    if (this.#at === 0) this.#skipSpace()
    this.#end = Math.max(this.#at, this.#scannedTo) + length
    do {
      const value = this.#isAtKey ? this.#key() : this.#value()
      if (value !== undefined) {
        const whole = this.#put(value)
        if (whole !== undefined) return this.#last(whole)
      }
    } while (Math.max(this.#at, this.#scannedTo) < this.#end)
    return undefined
  }

  #last(value: JsonValue): JsonValue {
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('unexpected text after the end')
    return value
  }

  #fail(reason: string): never {
    throw new JsonSyntaxError(`${reason} at position ${this.#at}`)
  }

  #failHere(reason: string): never {
    throw new JsonSyntaxError(reason, fieldOf(this.#path) || undefined)
  }

  #skipSpace(): void {
    const text = this.#text
    let at = this.#at
    const near = at + NEAR
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) break
      if (++at < near) continue
      // Takes a fraction of the time of this loop, and begins more slowly.
      spacePattern.lastIndex = at
      spacePattern.test(text)
      at = spacePattern.lastIndex
      break
    }
    this.#at = at
  }

  /** The value here; undefined where it is an array or object with something in it, into which it goes, or goes on behind the slice. */
  #value(): JsonValue | undefined {
    const code = this.#text.charCodeAt(this.#at)
    switch (code) {
      case QUOTE:
        return this.#string()
      case OPEN_OBJECT:
        return this.#object()
      case OPEN_ARRAY:
        return this.#array()
      default:
        if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number()
        return this.#word()
    }
  }

  #word(): null | boolean {
    const text = this.#text
    const at = this.#at
    if (text.startsWith('true', at)) {
      this.#at += 4
      return true
    }
    if (text.startsWith('false', at)) {
      this.#at += 5
      return false
    }
    if (!text.startsWith('null', at)) this.#fail('a JSON value was expected')
    this.#at += 4
    return null
  }

  #number(): JsonNumber {
    const text = this.#text
    const start = this.#at
    const end = start + NUMBER_LENGTH_MAX
    // Digits that begin with no zero need no pattern.
    let isPlain = text.charCodeAt(start) > ZERO
    let at = start
    for (; at <= end; at++) {
      const code = text.charCodeAt(at)
      if (code >= ZERO && code <= NINE) continue
      if (code !== POINT && code !== MINUS && code !== PLUS && code !== LOWER_E && code !== UPPER_E) break
      isPlain = false
    }
    if (at > end) this.#failHere(`a number must have at most ${NUMBER_LENGTH_MAX} characters`)
    const token = text.slice(start, at)
    if (!isPlain && !numberPattern.test(token)) this.#fail('a malformed number')
    this.#at = at
    return new JsonNumber(token)
  }

  #string(): string | undefined {
    const text = this.#text
    const start = this.#at
    const end = this.#end
    let at = Math.max(start + 1, this.#scannedTo)
    for (; ; at++) {
      if (at >= end) {
        this.#scannedTo = at
        return undefined
      }
      const code = text.charCodeAt(at)
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        this.#isEscaped = true
        at++
      } else if (!(code >= SPACE)) return this.#fail('an unfinished or malformed string')
    }
    const isEscaped = this.#isEscaped
    this.#isEscaped = false
    this.#at = at + 1
    return isEscaped ? this.#unescaped(start) : text.slice(start + 1, at)
  }

  #unescaped(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string
    } catch {
      this.#at = start
      return this.#fail('an unfinished or malformed string')
    }
  }

  /** Steps over `[`, `{`, or a comma, and the space behind it. */
  #step(): number {
    this.#at++
    this.#skipSpace()
    return this.#text.charCodeAt(this.#at)
  }

  #descend(): number {
    const { nestingMax } = this.#limits
    if (this.#path.length >= nestingMax) this.#fail(`nested deeper than ${nestingMax} levels`)
    return this.#step()
  }

  #array(): JsonValue[] | undefined {
    if (this.#descend() !== CLOSE_ARRAY) return this.#goInto([], 0)
    this.#at++
    return []
  }

  #object(): JsonObject | undefined {
    if (this.#descend() !== CLOSE_OBJECT) {
      this.#isAtKey = true
      return this.#goInto(new Bare(), '')
    }
    this.#at++
    return new Bare()
  }

  #goInto(value: JsonValue[] | JsonObject, key: string | number): undefined {
    this.#around.push(value)
    this.#path.push(key)
    this.#kept.push(0)
  }

  /** Steps over the key here, where it ends in this slice. */
  #key(): undefined {
    const level = this.#path.length - 1
    if (this.#text.charCodeAt(this.#at) !== QUOTE) this.#fail('a key in double quotes was expected')
    const key = this.#string()
    if (key === undefined) return
    this.#isAtKey = false
    this.#path[level] = key
    if (key in (this.#around[level] as JsonObject)) this.#failHere('the key appears twice')
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== COLON) this.#fail('":" was expected')
    this.#step()
  }

  /** Puts a value into what is around it, and likewise all that ends behind it. What is around nothing is the whole. */
  #put(value: JsonValue): JsonValue | undefined {
    let put = value
    for (;;) {
      const level = this.#path.length - 1
      if (level < 0) return put
      const inside = this.#around[level] as JsonValue[] | JsonObject
      if (Array.isArray(inside) ? this.#goesOnInArray(inside, put, level) : this.#goesOnInObject(inside, put, level))
        return undefined
      this.#at++
      this.#around.pop()
      this.#path.pop()
      this.#kept.pop()
      put = inside
    }
  }

  #goesOnInArray(array: JsonValue[], value: JsonValue, level: number): boolean {
    if (array.length < this.#limits.entriesKept) array.push(value)
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code === CLOSE_ARRAY) return false
    if (code !== COMMA) this.#fail('"," or "]" was expected')
    ;(this.#path[level] as number)++
    this.#step()
    return true
  }

  #goesOnInObject(object: JsonObject, value: JsonValue, level: number): boolean {
    if ((this.#kept[level] as number) < this.#limits.membersKept) {
      object[this.#path[level] as string] = value
      ;(this.#kept[level] as number)++
    }
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code === CLOSE_OBJECT) return false
    if (code !== COMMA) this.#fail('"," or "}" was expected')
    this.#step()
    this.#isAtKey = true
    return true
  }
}

/** `items[0].quantity` of the way to a value: keys and indices. */
export function fieldOf(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`),
    '',
  )
}

/**
 * The one spelling of a number's value: significant digits and a power of ten, so that `1`, `1.0` and `10e-1` are equal.
 * @throws RangeError for what is no number, or a longer one than NUMBER_LENGTH_MAX.
 */
export function canonicalNumber(text: string): string {
  if (shortInteger.test(text)) return `${text}e0`
  const match = text.length > NUMBER_LENGTH_MAX ? null : canonicalPattern.exec(text)
  if (!match) throw new RangeError('not a JSON number')
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutTrailingZeros(digits)
  if (significant === '') return '0'
  const further = digits.length - significant.length - fraction.length
  // Beyond 15 digits a JavaScript number would round.
  const exponent = power.length > 15 ? BigInt(power) + BigInt(further) : Number(power) + further
  return `${sign}${significant}e${exponent}`
}
/** Is its own significant digits. */
const shortInteger = /^[1-9](?:\d{0,13}[1-9])?$/
const canonicalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Canonical JSON: sorted keys, no white space, canonical numbers. Equal bodies have equal canonical text. */
export function canonicalJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return canonicalNumber(value.text)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`)
  return `{${members.join(',')}}`
}

/** Whether the value takes at most so many bytes as JSON without white space. No more of it is looked at. */
export function fitsInBytes(value: JsonValue, bytesMax: number): boolean {
  let left = bytesMax
  const take = (bytes: number) => {
    left -= bytes
    return left >= 0
  }
  const fits = (part: JsonValue): boolean => {
    if (part instanceof JsonNumber) return take(part.text.length)
    if (typeof part === 'string') return take(lengthAsJson(part))
    if (part === null || typeof part !== 'object') return take(String(part).length)
    // Brackets, and a comma or colon for all but the first.
    if (Array.isArray(part)) return take(Math.max(2, part.length + 1)) && part.every(fits)
    const keys = Object.keys(part)
    return (
      take(Math.max(2, 2 * keys.length + 1)) &&
      keys.every(key => take(lengthAsJson(key)) && fits(part[key] as JsonValue))
    )
  }
  return fits(value)
}

const lengthAsJson = (text: string): number => Buffer.byteLength(JSON.stringify(text))
