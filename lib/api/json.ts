/**
 * A strict JSON reader for request bodies: numbers keep their exact text, a duplicate key or too deep a nesting is an
 * error. It must not interpret fields; `fields.ts` does (contract 1, "Body").
 */

/** A JSON number as it was written, so that no digit is lost to binary floating point. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/** What is wrong with a body, in words for its sender, and where: the duplicate key's path, or the body as a whole. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  readonly field: string
  constructor(message: string, field = 'body') {
    super(message)
    this.field = field
  }
}

const DEPTH_MAX = 32
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// Every character from the space up but the quote and the backslash, and the escapes of RFC 8259.
const stringPattern = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const spacePattern = /[ \t\r\n]*/y

/**
 * Parses JSON text.
 * @throws JsonSyntaxError naming the position, or the duplicate key's path as its field.
 */
export function parseJson(text: string): JsonValue {
  let at = 0
  skipSpace()
  const value = parseValue('', 0)
  if (at < text.length) fail('unexpected text after the end')
  return value

  function fail(reason: string): never {
    throw new JsonSyntaxError(`${reason} at position ${at}`)
  }
  function skipSpace(): void {
    spacePattern.lastIndex = at
    spacePattern.test(text)
    at = spacePattern.lastIndex
  }
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    if (!pattern.test(text)) return undefined
    const token = text.slice(at, pattern.lastIndex)
    at = pattern.lastIndex
    return token
  }
  function parseValue(path: string, depth: number): JsonValue {
    if (depth > DEPTH_MAX) fail(`nested deeper than ${DEPTH_MAX} levels`)
    const value = parseToken(path, depth)
    skipSpace()
    return value
  }
  function parseToken(path: string, depth: number): JsonValue {
    switch (text[at]) {
      case '{':
        return parseObject(path, depth)
      case '[':
        return parseArray(path, depth)
      case '"':
        return parseString()
      case 't':
        return parseWord('true', true)
      case 'f':
        return parseWord('false', false)
      case 'n':
        return parseWord('null', null)
      default: {
        const number = take(numberPattern)
        return number === undefined ? fail('a JSON value was expected') : new JsonNumber(number)
      }
    }
  }
  function parseWord<T extends boolean | null>(word: string, value: T): T {
    if (!text.startsWith(word, at)) fail('a JSON value was expected')
    at += word.length
    return value
  }
  function parseString(): string {
    const token = take(stringPattern) ?? fail('an unfinished or malformed string')
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
  }
  function parseArray(path: string, depth: number): JsonValue[] {
    const items: JsonValue[] = []
    at++
    skipSpace()
    if (text[at] === ']') {
      at++
      return items
    }
    for (;;) {
      items.push(parseValue(`${path}[${items.length}]`, depth + 1))
      if (text[at] === ']') break
      if (text[at] !== ',') fail('"," or "]" was expected')
      at++
      skipSpace()
    }
    at++
    return items
  }
  function parseObject(path: string, depth: number): JsonObject {
    // No prototype: a key named __proto__ is a key like any other, and refused as an unknown field.
    const object: JsonObject = Object.create(null)
    at++
    skipSpace()
    if (text[at] === '}') {
      at++
      return object
    }
    for (;;) {
      if (text[at] !== '"') fail('a key in double quotes was expected')
      const key = parseString()
      const keyPath = path === '' ? key : `${path}.${key}`
      if (key in object) throw new JsonSyntaxError('the key appears twice', keyPath)
      skipSpace()
      if (text[at] !== ':') fail('":" was expected')
      at++
      skipSpace()
      object[key] = parseValue(keyPath, depth + 1)
      if (text[at] === '}') break
      if (text[at] !== ',') fail('"," or "}" was expected')
      at++
      skipSpace()
    }
    at++
    return object
  }
}

/**
 * The one spelling of a number's value: significant digits and a power of ten, so that `1`, `1.0` and `10e-1` are equal
 * (contract 1, "Idempotency").
 */
export function canonicalNumber(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match) throw new RangeError('not a JSON number')
  const fraction = match[3] ?? ''
  const digits = ((match[2] ?? '') + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const exponent = BigInt(match[4] ?? '0') - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${match[1]}${significant}e${exponent}`
}

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
