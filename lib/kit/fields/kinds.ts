/** The kinds of fields: the PostgreSQL type of each, its value in rules, its JSON in TypeScript and SQL, and what bodies may send. */
import type * as v from 'valibot'
import {
  CONVERSION_RATE_PLACES,
  COST_PLACES,
  EXCHANGE_RATE_PLACES,
  formatScaled,
  MICRO_PLACES,
  parseScaled,
} from '../../platform/decimal.ts'
import * as leaf from '../api/fields.ts'
import {
  changedMetadata,
  type Metadata,
  type MetadataChange,
  metadataChange,
  metadata as metadataLeaf,
} from '../api/metadata.ts'
import * as reply from '../api/reply-fields.ts'
import { joined, quoteName, quoteText, type Sql } from '../documents/sql.ts'
import { type BodyOf, bodyOf } from './bodies.ts'
import { type AnyField, type Column, type Derived, type Field, field, type Referred } from './field.ts'

type Form<T> = Pick<Column<T>, 'read' | 'write' | 'json' | 'select' | 'render' | 'same' | 'parts'>

const asText = (column: Sql): Sql => `${column}::text`
const quote: Sql = `'"'`
const quoted = (text: Sql): readonly Sql[] => [quote, text, quote]
const same = <T>(value: T): T => value

const column = <T>(type: string, schema: v.GenericSchema, form: Form<T>): Column<T> => ({
  is: 'column',
  type,
  nullable: false,
  reply: schema,
  ...form,
})

/** Text without characters that JSON escapes. */
const plainForm: Form<string> = {
  read: same,
  write: same,
  json: value => `"${value}"`,
  select: asText,
  render: col => quoted(asText(col)),
}
/** A value with the same text in PostgreSQL and in JSON. */
const bareForm = <T>(read: (text: string) => T): Form<T> => ({
  read,
  write: same,
  json: String,
  select: asText,
  render: col => [asText(col)],
})

// ---- ids and texts

const id = (refersTo?: Referred): Column<string> => ({
  ...column('bigint', reply.idText(), plainForm),
  ...(refersTo ? { refersTo } : {}),
})

/** An int64 id; in rules it is text. */
export const key = () => field(id(), leaf.id())

/** The id of another record. The field's description names the record: `the sales order`, `the line of the sales order`. */
export const reference = (of?: Referred): Field<string> => {
  const plain = field(id(of), leaf.id())
  return of ? plain.words(wordsFor(of)) : plain
}

const wordsFor = ({ noun, parent, referredAs }: Referred): string =>
  referredAs ?? `the ${noun}${parent ? ` of the ${parent.replace(/_id$/, '').replaceAll('_', ' ')}` : ''}`

const textColumn = (): Column<string> =>
  column('text', reply.plainText(), {
    ...plainForm,
    json: value => JSON.stringify(value),
    render: col => [`to_json(${col})::text`],
  })

/** Trimmed text. Bodies may send 1 to 255 characters. */
export const text = () => field(textColumn(), leaf.text())
/** As `text`. Bodies may send an empty text instead of null. */
export const textOrEmpty = () => field(textColumn() as Column<string | null>, leaf.textOrEmpty())
/** As `text`, in Unicode NFC: references, barcodes, numbers of batches. */
export const identifier = () => field(textColumn(), leaf.identifier())
/** As `identifier`, up to 64 characters: stock keeping units and document numbers. */
export const code = () => field(textColumn(), leaf.code())
/** Notes and descriptions: 0 to 10,000 characters. */
export const longText = () => field(textColumn(), leaf.longText())
/** A web address: `http` or `https`, up to 2,000 characters. */
export const link = () => field(textColumn(), leaf.link())
/** An ISO 4217 code. Whether it is a known currency is for the rules. */
export const currency = () => field(textColumn(), leaf.currency())
/** An ISO 3166-1 alpha-2 code. */
export const countryCode = () => field(textColumn(), leaf.countryCode())
/** As `countryCode`. Bodies may send an empty text instead of null. */
export const countryCodeOrEmpty = () => field(textColumn() as Column<string | null>, leaf.countryCodeOrEmpty())

/** One of a closed list. */
export const choice = <const C extends leaf.Choices>(choices: C): Field<keyof C & string> =>
  field(column('text', reply.choice(choices), plainForm as Form<keyof C & string>), leaf.oneOf(choices))

/** Bytes; in rules they are hex. Neither JSON nor bodies have them. */
export const bytes = () =>
  field(
    column<string>('bytea', reply.plainText(), {
      ...plainForm,
      write: value => `\\x${value}`,
      select: col => `encode(${col}, 'hex')`,
    }),
    leaf.text(),
  ).hidden()

/** Texts in their order, at most 100. */
export const textList = () =>
  field(
    column<readonly string[]>('text[]', reply.plainTexts(), {
      read: given => JSON.parse(given) as string[],
      write: same,
      json: value => JSON.stringify(value),
      select: col => `to_json(${col})::text`,
      render: col => [`to_json(${col})::text`],
    }),
    leaf.list(leaf.text(), { min: 1, max: 100 }),
  )

/**
 * Identifiers in their order, in a jsonb column.
 * @param keyOf gives equal keys to identifiers of which a list may have only one
 */
export const identifierList = ({ max, keyOf }: { readonly max: number; readonly keyOf: (text: string) => string }) =>
  field(
    column<readonly string[]>('jsonb', reply.plainTexts(), {
      read: given => JSON.parse(given) as string[],
      write: same,
      json: value => JSON.stringify(value),
      same: (one, other) => one.length === other.length && one.every((text, at) => text === other[at]),
      select: asText,
      // There are no nulls to strip: the function is used because it writes compact JSON.
      render: col => [`case when ${col} = '[]' then '[]' else json_strip_nulls(${col}::json)::text end`],
    }),
    leaf.different(leaf.list(leaf.identifier(), { min: 0, max }), keyOf),
  )

// ---- flags, numbers, times

export const flag = () =>
  field(
    column<boolean>(
      'boolean',
      reply.truth(),
      bareForm(given => given === 'true'),
    ),
    leaf.flag(),
  )

const INT32_MAX = 2_147_483_647
/** A whole number within the bounds, by default those of 32 bits. */
export const whole = (min = -INT32_MAX - 1, max = INT32_MAX) =>
  field(column<number>('integer', reply.wholeNumber(), bareForm(Number)), leaf.integer(min, max))

/** A whole number beyond 32 bits, below 2^53. */
export const longWhole = () => field(column<number>('bigint', reply.wholeNumber(), bareForm(Number)), leaf.int32())

/** A decimal with `places` decimals. In rules it is a BigInt that counts 10^-places. */
const decimal = (places: number): Column<bigint> =>
  column<bigint>('numeric', reply.decimal(places), {
    read: given => parseScaled(given, places),
    write: value => formatScaled(value, places),
    json: value => formatScaled(value, places),
    select: asText,
    render: col => [`trim_scale(${col})::text`],
  })

/** Bodies carry decimals as plain text, which `read` converts. */
export const quantity = (limits: leaf.QuantityLimits = {}) => field(decimal(MICRO_PLACES), leaf.quantity(limits))
/** 0 or more (or more than `moreThan`), below 1e12. */
export const price = (limits: leaf.PriceLimits = {}) => field(decimal(MICRO_PLACES), leaf.price(limits))
/** As `price`, but values below 0 are allowed. */
export const signedPrice = () => field(decimal(MICRO_PLACES), leaf.signedPrice())
/** 0 to `max`. */
export const percent = (max = 100) => field(decimal(4), leaf.percent(max))
export const money = () => field(decimal(COST_PLACES), leaf.price())
export const cost = money
/** As `cost`, but values below 0 are allowed. */
export const signedCost = () => field(decimal(COST_PLACES), leaf.signedCost())
export const exchangeRate = () => field(decimal(EXCHANGE_RATE_PLACES), leaf.exchangeRate())

export const conversionRate = () => field(decimal(CONVERSION_RATE_PLACES), leaf.conversionRate())
/** Purchase units times their conversion rate, before rounding. Neither JSON nor bodies have it. */
export const exactQuantity = () => field(decimal(MICRO_PLACES + CONVERSION_RATE_PLACES), leaf.quantity()).hidden()

/** A moment; in rules `2026-11-21T05:00:00.000Z`. */
export const instant = () =>
  field(
    column<string>('timestamptz', reply.instant(), {
      ...plainForm,
      select: col => `iso(${col})`,
      render: col => quoted(`iso(${col})`),
    }),
    leaf.bodyTimestamp(),
  )

/** A calendar day; in rules `2026-11-21`. */
export const day = () => field(column<string>('date', reply.day(), plainForm), leaf.date())

// ---- objects

/** An object of these texts, each null if absent, in one jsonb column. `some`: a body has at least one of them. */
export function texts<const F extends Readonly<Record<string, AnyField>>>(fields: F, { some = false } = {}) {
  type Texts = BodyOf<F>
  const names = Object.keys(fields)
  const textOf = (value: Texts, of: string) => (value as Readonly<Record<string, unknown>>)[of] ?? null
  const shown = leaf.shape(Object.fromEntries(names.map(of => [of, fields[of]?.reply ?? reply.plainText()])))
  return field(
    column<Texts>('jsonb', shown, {
      read: given => JSON.parse(given) as Texts,
      write: same,
      json: value => `{${names.map(of => `"${of}":${JSON.stringify(textOf(value, of))}`).join(',')}}`,
      parts: names,
      same: (one, other) => names.every(of => textOf(one, of) === textOf(other, of)),
      select: asText,
      render: col => {
        const members = names.flatMap((of, at) => [
          quoteText(`${at === 0 ? '{' : ','}"${of}":`),
          `coalesce((${col} -> ${quoteText(of)})::text, 'null')`,
        ])
        return [`case when ${col} is not null then ${joined([...members, quoteText('}')])} end`]
      },
    }),
    some ? leaf.withSome(bodyOf(fields), names) : bodyOf(fields),
  )
}

const mapColumn = (): Column<Readonly<Record<string, string>>> =>
  column('jsonb', reply.stringMap(), {
    read: given => JSON.parse(given) as Record<string, string>,
    write: same,
    json: value => {
      const entries = Object.entries(value).map(([of, text]) => ({ of: Buffer.from(of), name: of, text }))
      entries.sort((a, b) => a.of.length - b.of.length || a.of.compare(b.of))
      return `{${entries.map(({ name, text }) => `${JSON.stringify(name)}:${JSON.stringify(text)}`).join(',')}}`
    },
    select: asText,
    // There are no nulls to strip: the function is used because it writes compact JSON.
    render: col => [`case when ${col} = '{}' then '{}' else json_strip_nulls(${col}::json)::text end`],
  })

/** An object of texts under any names, in a jsonb column. JSON has the names in the column's order: shorter first, then by bytes. */
export const textMap = () => field(mapColumn(), leaf.textMap())

/** As `textMap`, with names without escapes. A change is merged: null removes a name, other names stay. */
export const metadata = () =>
  field(mapColumn(), metadataLeaf()).mergedBy({
    leaf: metadataChange(),
    merge: (before, change) => {
      const after = changedMetadata(before as Metadata, change as MetadataChange)
      return typeof after === 'string' ? { fault: after } : { after }
    },
  })

/** A change of `metadata` in a body. */
export const metadataPatch = () => field(mapColumn(), metadataChange())

/** JSON that only rules use: neither documents nor bodies have it. */
export const hiddenJson = <T>() =>
  field(
    column<T>('jsonb', reply.anyJson(), {
      read: given => JSON.parse(given) as T,
      write: same,
      json: value => JSON.stringify(value),
      same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      select: asText,
      render: col => [asText(col)],
    }),
    leaf.text(),
  ).hidden()

/** An object of these fields in a body. No column stores it. */
export const sentObject = <const F extends Readonly<Record<string, AnyField>>>(fields: F) =>
  field(
    column<BodyOf<F>>('jsonb', reply.anyJson(), {
      read: given => JSON.parse(given) as BodyOf<F>,
      write: same,
      json: value => JSON.stringify(value),
      select: asText,
      render: col => [asText(col)],
    }),
    bodyOf(fields),
  )

// ---- values that follow from others

/** A shown value that follows from the record, and in SQL from the columns of its row. `field` is its kind. */
export const derived = <T, R = unknown>(
  field: Column<T>,
  of: (record: R) => T,
  sql: (column: (name: string) => Sql) => Sql,
): Derived<R> => ({
  is: 'derived',
  reply: field.reply ?? reply.plainText(),
  json: record => field.json(of(record)),
  render: alias => field.render(`(${sql(name => quoteName(alias, name))})`),
})

/** A shown sum of two decimals of the record. */
export const sumOf = <const A extends string, const B extends string>(
  [a, b]: readonly [A, B],
  places = COST_PLACES,
): Derived<Readonly<Record<A | B, bigint>>> => ({
  is: 'derived',
  reply: reply.explained(reply.decimal(places), `\`${a}\` and \`${b}\` together`),
  json: record => formatScaled(record[a] + record[b], places),
  render: alias => [`trim_scale(${quoteName(alias, a)} + ${quoteName(alias, b)})::text`],
})
