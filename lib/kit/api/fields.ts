/**
 * The leaf fields of request bodies and queries as valibot schemas. Each reads a raw JSON or query value, refuses with a reason, and has
 * its JSON Schema for the OpenAPI document.
 */
import * as v from 'valibot'
import { CONVERSION_RATE_PLACES, COST_PLACES, EXCHANGE_RATE_PLACES, MICRO_PLACES } from '../../platform/decimal.ts'
import { JsonNumber, type JsonValue } from '../../platform/json.ts'
import {
  dayOf,
  decimalReader,
  deny,
  integerText,
  readIdentifier,
  readInt64,
  readText,
  readTimestamp,
  Unreadable,
} from './field-readers.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Settings of a reader: when a day without a time begins. Undefined: at midnight UTC. */
export type Reading = { readonly startOfDay?: (day: string) => string }

/** Makes a schema of a reader function and its JSON Schema. */
export function leaf<T>(jsonSchema: JsonSchema, read: (raw: unknown, reading: Reading) => T) {
  return v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, config, addIssue, NEVER }): T => {
      if (dataset.value === null) {
        addIssue({ message: 'must not be null' })
        return NEVER
      }
      try {
        return read(dataset.value, config as Reading)
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        addIssue({ message: error.message })
        return NEVER
      }
    }),
    v.metadata({ jsonSchema }),
  )
}

// ---- the fields

/** A reference or filter id: `"123"` or `123`. Output: text. */
export const id = () =>
  leaf(idSchema, raw => readInt64(raw) ?? deny('must be an id (an int64 integer, as a string or a number)'))
const idSchema: JsonSchema = { type: ['string', 'integer'], pattern: '^-?[0-9]{1,19}$', examples: ['1042'] }

/** Trimmed text of 1 to `max` characters; `min: 0` lets it be empty. */
export const text = (max = 255, min = 1) =>
  leaf({ type: 'string', minLength: min, maxLength: max }, raw => readText(raw, max, min))
/** As `text`. An empty text becomes null. */
export const textOrEmpty = () => leaf({ type: 'string', maxLength: 255 }, raw => readText(raw, 255, 0) || null)
/** A text that names something, such as a reference, in Unicode NFC. */
export const identifier = (max = 255) =>
  leaf({ type: 'string', minLength: 1, maxLength: max }, raw => readIdentifier(raw, max))
/** Stock keeping units and document numbers. */
export const code = () => identifier(64)
/** Notes and descriptions; may be empty. */
export const longText = () => text(10_000, 0)

/** A web address for links. Schemes other than http and https are refused, so that a link cannot run a script. */
export const link = () =>
  leaf({ type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: 2_000 }, raw => {
    const given = readText(raw, 2_000, 1)
    return /^https?:\/\/\S+$/i.test(given) && URL.canParse(given)
      ? given
      : deny('must be an http:// or https:// address without spaces')
  })

export type QuantityLimits = { readonly moreThan?: '0'; readonly min?: '0' }

const quantitySchema = (limits: QuantityLimits): JsonSchema => ({
  type: 'number',
  multipleOf: 0.000001,
  exclusiveMaximum: 1e9,
  ...(limits.moreThan ? { exclusiveMinimum: 0 } : limits.min ? { minimum: 0 } : { exclusiveMinimum: -1e9 }),
})

const quantityReader = (limits: QuantityLimits) =>
  decimalReader({
    places: MICRO_PLACES,
    lessThan: '1000000000',
    ...(limits.moreThan || limits.min ? limits : { moreThan: '-1000000000' }),
  })

/** A quantity: at most 6 decimals, absolute value below 1e9. Output: plain decimal text. */
export const quantity = (limits: QuantityLimits = {}) => leaf(quantitySchema(limits), quantityReader(limits))

export type PriceLimits = { readonly moreThan?: '0' }

/** A price or unit cost: at most 6 decimals, 0 or more (or more than `moreThan`), below 1e12. Output: plain decimal text. */
export const price = ({ moreThan }: PriceLimits = {}) =>
  leaf(
    { type: 'number', ...(moreThan ? { exclusiveMinimum: 0 } : { minimum: 0 }), multipleOf: 0.000001 },
    decimalReader({ ...(moreThan ? { moreThan } : { min: '0' }), places: MICRO_PLACES, lessThan: '1000000000000' }),
  )

/** An amount that may be below 0: at most 6 decimals, absolute value below 1e12. Output: plain decimal text. */
export const signedPrice = () =>
  leaf(
    { type: 'number', multipleOf: 0.000001 },
    decimalReader({ places: MICRO_PLACES, moreThan: '-1000000000000', lessThan: '1000000000000' }),
  )

/** A change of a value: at most 4 decimals, absolute value below 1e12. Output: plain decimal text. */
export const signedCost = () =>
  leaf(
    { type: 'number', multipleOf: 0.0001 },
    decimalReader({ places: COST_PLACES, moreThan: '-1000000000000', lessThan: '1000000000000' }),
  )

/** Stock units in one purchase unit: above 0, below 1e9, at most 9 decimals. Output: plain decimal text. */
export const conversionRate = () =>
  leaf(
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e9, multipleOf: 0.000000001 },
    decimalReader({ places: CONVERSION_RATE_PLACES, moreThan: '0', lessThan: '1000000000' }),
  )

/** The tenant's currency per unit of another: above 0, below 1e9, at most 10 decimals. Output: plain decimal text. */
export const exchangeRate = () =>
  leaf(
    { type: 'number', exclusiveMinimum: 0, multipleOf: 0.0000000001 },
    decimalReader({ places: EXCHANGE_RATE_PLACES, moreThan: '0', lessThan: '1000000000' }),
  )

/** Percent, 0 to `max`, at most 4 decimals. */
export const percent = (max: number) =>
  leaf(
    { type: 'number', minimum: 0, maximum: max, multipleOf: 0.0001 },
    decimalReader({ places: 4, min: '0', max: String(max) }),
  )
/** Percent, 0 to 100, at most 4 decimals. */
export const taxRate = () => percent(100)

/** A whole number within bounds. Output: JavaScript number. */
export const integer = (min: number, max: number) =>
  leaf({ type: 'integer', minimum: min, maximum: max }, raw => {
    const plain = raw instanceof JsonNumber ? integerText(raw.text) : undefined
    if (plain === undefined) return deny('must be a whole number')
    const value = Number(plain)
    return value < min || value > max ? deny(`must be between ${min} and ${max}`) : value
  })
export const int32 = () => integer(-2_147_483_648, 2_147_483_647)

export const flag = () =>
  leaf({ type: 'boolean' }, raw => (typeof raw === 'boolean' ? raw : deny('must be true or false')))

/** ISO-8601 date or timestamp. Output: `2026-11-21T05:00:00.000Z`. */
export const timestamp = () => timestampSaid('ISO-8601 date or timestamp; without an offset it is UTC')

export const bodyTimestamp = () =>
  timestampSaid(
    'ISO-8601 timestamp (UTC without an offset) or date (the start of that day in the time zone of the tenant)',
  )

const timestampSaid = (form: string) =>
  leaf(
    // The schema has no `format`: `date-time` is that of RFC 3339, which allows neither plain dates nor timestamps without an offset.
    {
      type: 'string',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}',
      'x-form': form,
      examples: ['2026-11-21T05:00:00Z'],
    },
    (raw, reading) => readTimestamp(raw, reading) ?? deny(`must be an ISO-8601 date or timestamp${lostPlus(raw)}`),
  )

/** A hint for the message where a query has turned the `+` into a space: `2026-11-21T05:00:00+01:00`. */
const lostPlus = (raw: unknown): string =>
  typeof raw === 'string' && /^[\d-]{10}[Tt][\d:.]{5,20} \d\d:?\d\d$/.test(raw)
    ? ': in a query a + stands for a space, so send it as %2B, or use Z'
    : ''

// Stricter than ISO-8601: seconds, and an offset with a colon, are required.
const rfc3339Pattern = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** RFC 3339 timestamp with its offset (telemetry's bounds). Output: `2026-11-21T05:00:00.000Z`. */
export const offsetTimestamp = () =>
  leaf(
    { type: 'string', format: 'date-time', 'x-form': 'RFC 3339 timestamp with an offset (a + is sent as %2B)' },
    raw =>
      (typeof raw === 'string' && rfc3339Pattern.test(raw)
        ? readTimestamp(raw, { offsetRequired: true })
        : undefined) ?? deny(`must be an RFC 3339 timestamp with an offset, like 2026-11-21T05:00:00Z${lostPlus(raw)}`),
  )

/** ISO-8601 calendar date. Output: `2026-11-21`. */
export const date = () =>
  leaf({ type: 'string', format: 'date' }, raw =>
    typeof raw === 'string' && dayOf(raw) !== undefined ? raw : deny('must be an ISO-8601 date (YYYY-MM-DD)'),
  )

/** A closed list of strings, each with its meaning. */
export type Choices = Readonly<Record<string, string>>

/** The strings of a closed list. */
export const valuesOf = <C extends Choices>(choices: C) => Object.keys(choices) as readonly (keyof C & string)[]

/** One of a closed list. */
export const oneOf = <const C extends Choices>(choices: C) => {
  const values = valuesOf(choices)
  return leaf({ type: 'string', enum: values, 'x-enum-words': choices }, (raw): keyof C & string =>
    values.some(value => value === raw) ? (raw as keyof C & string) : deny(`must be one of ${values.join(', ')}`),
  )
}

const inUpperCase = (raw: unknown, length: number): string =>
  typeof raw === 'string' && raw.length === length && /^[A-Za-z]+$/.test(raw)
    ? ` in upper case: ${raw.toUpperCase()}`
    : ''

/** ISO 4217 code in upper-case letters. The resource checks whether the currency is known. */
export const currency = () =>
  leaf({ type: 'string', pattern: '^[A-Z]{3}$' }, raw =>
    typeof raw === 'string' && /^[A-Z]{3}$/.test(raw)
      ? raw
      : deny(`must be an ISO 4217 currency code${inUpperCase(raw, 3)}`),
  )

const readCountryCode = (raw: unknown): string =>
  typeof raw === 'string' && /^[A-Z]{2}$/.test(raw)
    ? raw
    : deny(`must be an ISO 3166-1 alpha-2 country code${inUpperCase(raw, 2)}`)

/** ISO 3166-1 alpha-2 code. */
export const countryCode = () => leaf({ type: 'string', pattern: '^[A-Z]{2}$' }, readCountryCode)
/** As `countryCode`. An empty text becomes null. */
export const countryCodeOrEmpty = () =>
  leaf({ type: 'string', pattern: '^([A-Z]{2})?$' }, raw =>
    typeof raw === 'string' && raw.trim() === '' ? null : readCountryCode(raw),
  )

/** Reads one of several values in a field. The reason of its refusal begins with its name. */
export function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return deny(`${name} ${error.message}`)
  }
}

/** An object of strings under any names, at most 50 (variant attributes). */
export const textMap = () =>
  leaf({ type: 'object', additionalProperties: { type: 'string', maxLength: 255 }, maxProperties: 50 }, raw => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw instanceof JsonNumber)
      return deny('must be an object of strings')
    if (Object.keys(raw).length > 50) return deny('must have at most 50 entries')
    const read = new Map<string, string>()
    for (const [rawKey, value] of Object.entries(raw)) {
      const key = named('a name', () => readText(rawKey, 255, 1))
      if (read.has(key)) deny(`${key}: the key appears twice`)
      read.set(
        key,
        named(`${key}:`, () => readText(value, 255, 1)),
      )
    }
    return Object.fromEntries(read)
  })

/** Any value, unchanged. It is checked later. */
export const anything = (jsonSchema: JsonSchema) => leaf(jsonSchema, raw => raw)

// ---- query parameters, which arrive as text

/** `true` or `false` in a query. */
export const queryFlag = () =>
  leaf({ type: 'boolean' }, raw => (raw === 'true' ? true : raw === 'false' ? false : deny('must be true or false')))

/** Some values of a closed list, joined by commas in a query: at least one, none empty, unknown or repeated. */
export const someOf = <const C extends Choices>(choices: C) => {
  const values: readonly string[] = valuesOf(choices)
  const items = { type: 'string', enum: values, 'x-enum-words': choices }
  return leaf({ type: 'array', items, minItems: 1, uniqueItems: true }, (raw): readonly (keyof C & string)[] => {
    const given = typeof raw === 'string' ? raw.split(',') : deny('must be text')
    const unknown = given.find(value => !values.includes(value))
    if (unknown !== undefined)
      return deny(`must be some of ${values.join(', ')}, joined by commas${unknown === '' ? ', none is empty' : ''}`)
    return new Set(given).size < given.length ? deny('names a value twice') : given
  })
}

const IDS_MAX = 100

/** Ids, joined by commas in a query. A repeated id counts once. Output: each id once, as text. */
export const someIds = () =>
  leaf({ type: 'array', items: idSchema, minItems: 1, maxItems: IDS_MAX }, (raw): readonly string[] => {
    const given = typeof raw === 'string' ? raw.split(',') : deny('must be text')
    const ids = new Set(
      given.map(part => readInt64(part) ?? deny('must be ids (int64 integers), joined by commas, none is empty')),
    )
    return ids.size > IDS_MAX ? deny(`must name at most ${IDS_MAX} ids`) : [...ids]
  })

/** A whole number within bounds in a query. */
export const queryInteger = (min: number, max: number) =>
  leaf({ type: 'integer', minimum: min, maximum: max }, raw => {
    const value = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw) ? Number(raw) : deny('must be a whole number')
    return value < min || value > max ? deny(`must be between ${min} and ${max}`) : value
  })

/** A quantity in a query, as `quantity` in a body. Output: plain decimal text. */
export const queryQuantity = (limits: QuantityLimits = {}) => {
  const read = quantityReader(limits)
  return leaf(quantitySchema(limits), raw =>
    read(typeof raw === 'string' && numberPattern.test(raw) ? new JsonNumber(raw) : raw),
  )
}
const numberPattern = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE]-?\d{1,3})?$/

// ---- presence

type Leaf = v.GenericSchema<unknown, unknown>

/** The schema after a check of the whole value. When the check finds a fault, nothing inside the value is checked. */
function guarded<S extends Leaf>(schema: S, faultOf: (raw: unknown) => string | undefined): S {
  const run: S['~run'] = (dataset, config) => {
    const message = faultOf(dataset.value)
    return (message === undefined ? schema : v.custom(() => false, message))['~run'](dataset, config)
  }
  return { ...schema, '~run': run }
}

/**
 * An object with exactly these fields. Any other field is refused by name. The entries have no prototype, because valibot looks names up
 * with `in` and would accept `constructor` or `__proto__`.
 */
export const shape = <const E extends v.ObjectEntries>(entries: E) =>
  guarded(v.strictObject(Object.assign(Object.create(null), entries) as E), raw =>
    // Valibot would accept these as objects.
    Array.isArray(raw) || raw instanceof JsonNumber ? 'must be an object' : undefined,
  )

/** The same object, where a body must give at least one of these fields; null does not count. */
export const withSome = <S extends v.GenericSchema>(object: S, names: readonly string[]): S =>
  v.pipe(
    object,
    v.check(
      given => names.some(name => (given as Readonly<Record<string, unknown>>)[name] !== null),
      `must have at least one of ${names.join(', ')}`,
    ),
    v.metadata({ jsonSchema: { 'x-form': 'an object with at least one of its fields' } }),
  ) as never

/** The same object with another schema for one field. The field stays optional or required. */
export function withEntry<S extends v.GenericSchema>(object: S, name: string, schema: Leaf): S {
  const { entries } = object as unknown as { readonly entries: v.ObjectEntries }
  return shape({ ...entries, [name]: entries[name]?.type === 'optional' ? optional(schema) : schema }) as never
}

/** An array of `min` to `max` entries. The number is checked first: no entry of a too long array is read. */
export const list = <S extends Leaf>(schema: S, { min, max }: { readonly min: number; readonly max: number }) => {
  const tooFew = `must have at least ${min} entr${min === 1 ? 'y' : 'ies'}`
  const tooMany = `must have at most ${max} entries`
  return guarded(v.pipe(v.array(schema), v.minLength(min, tooFew), v.maxLength(max, tooMany)), raw => {
    if (!Array.isArray(raw)) return undefined
    return raw.length < min ? tooFew : raw.length > max ? tooMany : undefined
  })
}

/** The same list, in which no two texts have the same key. */
export const different = <S extends v.GenericSchema<unknown, string[]>>(texts: S, keyOf: (text: string) => string) =>
  v.pipe(
    texts,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const keys = dataset.value.map(keyOf)
      const again = keys.findIndex((key, at) => keys.indexOf(key) !== at)
      if (again !== -1) addIssue({ message: `names "${dataset.value[again]}" twice` })
    }),
    v.metadata({ jsonSchema: { uniqueItems: true } }),
  )

/** Optional, accepts null. An absent field becomes null. For POST fields without a default. */
export const nullable = <S extends Leaf>(schema: S) => v.optional(v.nullable(schema), null)
/** Optional with a fixed default, as it would appear in a body (`new JsonNumber('0')`); null is refused. */
export const withDefault = <S extends Leaf>(schema: S, fallback: JsonValue) => v.optional(schema, fallback)
/** Optional, null refused. An absent field becomes undefined: the rules decide the default, or a PATCH leaves the field unchanged. */
export const optional = <S extends Leaf>(schema: S) => v.optional(schema)
/** Optional; null differs from absent. For a PATCH of a nullable field, and where null has a meaning of its own. */
export const clearable = <S extends Leaf>(schema: S) => v.optional(v.nullable(schema))
