/** The metadata of records: names and texts of the caller's own. Limits, a new record's metadata, and changes. */
import { JsonNumber } from '../../platform/json.ts'
import { deny, readText } from './field-readers.ts'
import { leaf, named } from './fields.ts'

export type Metadata = Readonly<Record<string, string>>
/** Null removes a name. */
export type MetadataChange = Readonly<Record<string, string | null>>

const NAMES_MAX = 50
const TEXT_LENGTH_MAX = 500
const BYTES_MAX = 16 * 1024
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/

const FORM =
  `up to ${NAMES_MAX} names of 1 to 40 letters, digits, \`_\`, \`.\` and \`-\` that begin with a letter or digit; at most ${BYTES_MAX} ` +
  'bytes of JSON'

const schemaOf = (namesMax: number, type: string | readonly string[], form: string) => ({
  type: 'object',
  additionalProperties: { type, minLength: 1, maxLength: TEXT_LENGTH_MAX },
  maxProperties: namesMax,
  'x-form': form,
})

/** Names are exact, so they are not trimmed. Texts are read like other texts. */
function read<T>(raw: unknown, namesMax: number, textOf: (raw: unknown) => T): Record<string, T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || raw instanceof JsonNumber)
    return deny('must be an object of strings')
  const entries = Object.entries(raw)
  if (entries.length > namesMax) return deny(`must have at most ${namesMax} names`)
  return Object.fromEntries(
    entries.map(([name, text]) => {
      if (!namePattern.test(name))
        return deny('a name must have 1 to 40 letters, digits, _ . or - and begin with a letter or digit')
      return [name, named(`${name}:`, () => textOf(text))]
    }),
  )
}

const textOf = (raw: unknown): string => readText(raw, TEXT_LENGTH_MAX, 1)

/** What is wrong with the metadata of a record; null if nothing is. */
function faultOf(metadata: Metadata): string | null {
  if (Object.keys(metadata).length > NAMES_MAX) return `must have at most ${NAMES_MAX} names`
  const bytes = Buffer.byteLength(JSON.stringify(metadata))
  return bytes > BYTES_MAX ? `must have at most ${BYTES_MAX} bytes of JSON, and has ${bytes}` : null
}

/** The metadata of a new record. */
export const metadata = () =>
  leaf(schemaOf(NAMES_MAX, 'string', FORM), (raw): Metadata => {
    const given = read(raw, NAMES_MAX, textOf)
    const fault = faultOf(given)
    return fault === null ? given : deny(fault)
  })

/** A change of metadata. It may remove as many names as a record can have, and add as many. */
export const metadataChange = () =>
  leaf(
    schemaOf(
      2 * NAMES_MAX,
      ['string', 'null'],
      `a name that is null goes, names that are left out stay; afterwards ${FORM}`,
    ),
    (raw): MetadataChange => read(raw, 2 * NAMES_MAX, text => (text === null ? null : textOf(text))),
  )

/** Metadata after a change: the same object if nothing changed. A text says what is wrong. */
export function changedMetadata(before: Metadata, change: MetadataChange): Metadata | string {
  const after = new Map(Object.entries(before))
  let isSame = true
  for (const [name, text] of Object.entries(change)) {
    if ((after.get(name) ?? null) === text) continue
    isSame = false
    if (text === null) after.delete(name)
    else after.set(name, text)
  }
  if (isSame) return before
  const metadata = Object.fromEntries(after)
  return faultOf(metadata) ?? metadata
}
