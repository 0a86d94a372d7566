/** A strict JSON reader for request bodies. Numbers keep their exact text. A duplicate key or too deep nesting is an error. */

import { setImmediate as otherWork } from 'node:timers/promises'
import { withoutTrailingZeros } from './decimal.ts'

/** The most characters of a number. A field takes at most 30 digits on either side of the point, and a double in full has 55. */
export const NUMBER_LENGTH_MAX = 100

/** The most levels of arrays and objects. Bodies have at most four (attributes of a product's variants), and pages of answers six. */
export const NESTING_MAX = 7

/** A JSON number as written, so that binary floating point loses no digit. */
export class JsonNumber {
  readonly text: string
  /** @throws RangeError beyond NUMBER_LENGTH_MAX characters */
  constructor(text: string) {
    if (text.length > NUMBER_LENGTH_MAX) throw new RangeError('too long for a number')
    this.text = text
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/** What is wrong with a body, for its sender. `field` is the path of the faulty field, or the body as a whole. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  readonly field: string
  constructor(message: string, field = 'body') {
    super(message)
    this.field = field
  }
}

export type JsonLimits = {
  /** Levels of arrays and objects. More levels are an error. */
  readonly nestingMax?: number
  /** How many members of an object, and entries of an array, are kept. Further ones are read, but not kept. */
  readonly membersKept?: number
  readonly entriesKept?: number
}

/**
 * Parses JSON text in time that grows only with its length.
 * @throws JsonSyntaxError naming the position, or as field the path of a duplicate key or too long a number
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  return new Reader(text, limits).readOn(Number.POSITIVE_INFINITY) as JsonValue
}

/** How many characters are read before other work continues. 32,000 zeros in a list take 2 ms. */
const SLICE = 64 * 1024

/** As `parseJson`, for a long text: other work continues between its slices. */
export async function parseLongJson(text: string, limits: JsonLimits = {}): Promise<JsonValue> {
  const reader = new Reader(text, limits)
  for (;;) {
    const value = reader.readOn(SLICE)
    if (value !== undefined) return value
    await otherWork()
  }
}

/** After this many blanks a pattern looks for their end. */
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
 * Objects without a prototype: a key `__proto__` or `constructor` is a key like any other, and refused as an unknown field. Objects of
 * Object.create(null) are hash tables and take twice as long to read.
 */
class Bare {
  [key: string]: JsonValue
}
Reflect.deleteProperty(Bare.prototype, 'constructor')
Object.setPrototypeOf(Bare.prototype, null)

/** Reads by character codes instead of patterns, in half the time (2.0 ms instead of 3.7 ms for 2,500 lines of orders). */
class Reader {
  readonly #text: string
  readonly #limits: Required<JsonLimits>
  #at = 0
  /** Where this slice ends. */
  #end = 0
  /** For a string that continues after the slice: how far it was read, and whether it has had an escape. */
  #scannedTo = 0
  #isEscaped = false
  /** Whether a key comes next. */
  #isAtKey = false
  /** The arrays and objects that contain the present position, the outermost first, and the index or key in each. */
  readonly #around: (JsonValue[] | JsonObject)[] = []
  readonly #path: (string | number)[] = []
  /** Reads about this many more characters. Returns the value once it is complete. */
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

  /** Reads about this many further characters. Returns the value once it is complete. */
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
      // The pattern is much faster than this loop, but starts more slowly.
      spacePattern.lastIndex = at
      spacePattern.test(text)
      at = spacePattern.lastIndex
      break
    }
    this.#at = at
  }

  /**
   * The value at this position. Undefined for an array or object that is not empty: the reader enters it and may continue in the next
   * slice.
   */
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
    // A number whose first digit is not 0 is checked here, without a pattern.
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

  /** Steps over `[`, `{` or a comma, and the space after it. */
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

  /** Steps over the key at this position, if it ends in this slice. */
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

  /**
   * Adds a value to the array or object that contains it. If that ends here, it is added to the next outer one, and so on. The outermost
   * value is the result.
   */
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

/** The text of a path of keys and indices, such as `items[0].quantity`. */
export function fieldOf(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`),
    '',
  )
}

/**
 * The same text for equal numbers: significant digits and a power of ten, so that `1`, `1.0` and `10e-1` are equal. @throws RangeError for
 * a text that is no number, or longer than NUMBER_LENGTH_MAX
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
/** These digits are already significant digits. */
const shortInteger = /^[1-9](?:\d{0,13}[1-9])?$/
const canonicalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Canonical JSON: sorted keys, no white space, canonical numbers. Equal bodies have equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return canonicalNumber(value.text)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`)
  return `{${members.join(',')}}`
}

/** Whether the value takes at most `bytesMax` bytes as JSON without white space. It stops counting beyond that. */
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
    // Brackets, and a comma or colon for each member but the first.
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
