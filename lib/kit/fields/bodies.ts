/**
 * Bodies made from declared fields: the schema that reads one, and its type. A body that makes a record has the fields that are writable on
 * `create`. A body that changes one has those writable on `change` (docs/rules/requests.md).
 */
import * as v from 'valibot'
import { memoized } from '../../platform/memoized.ts'
import { flag, id, list, nullable, optional, shape, withDefault } from '../api/fields.ts'
import { REFERENCE } from '../api/path-params.ts'
import { explained } from '../api/reply-fields.ts'
import type { AnyLines, LineDocument, Lines, Fields as Members, SentParts } from '../documents/document.ts'
import type { Absent, AnyField, Column, On, Sent } from './field.ts'

type Flat<T> = { readonly [K in keyof T]: T[K] }

/** The types of fields that belong to no document, or that a body has beside the document's own. */
// biome-ignore lint/suspicious/noExplicitAny: the declaration infers the types
export type SentFields = Readonly<Record<string, AnyField | AnyLines | SentParts<any, any>>>

type AbsentOf<M> = M extends { readonly sent: { readonly absent: infer A } }
  ? A
  : M extends { readonly sentLines: { readonly absent: infer A } }
    ? A
    : never
type OnOf<M> = M extends { readonly sent: { readonly on: infer O } }
  ? O
  : M extends { readonly sentLines: { readonly on: infer O } }
    ? O
    : 'never'

/** The type of a field in a new record's body. */
type Given<M> = M extends { readonly of: { readonly fields: infer L }; readonly sentLines: unknown }
  ? CreatedLine<L>[]
  : M extends Column<infer T>
    ? AbsentOf<M> extends 'counted'
      ? T | null
      : T
    : never
/** The type of a field in a change. */
type Changed<M> = M extends {
  readonly of: { readonly fields: infer L }
  readonly sentLines: { readonly by: infer By }
}
  ? By extends 'id'
    ? ChangedLine<L>[]
    : By extends 'kept'
      ? KeptLine<L>[]
      : CreatedLine<L>[]
  : M extends Column<infer T>
    ? T
    : never

type IfOn<F, K extends keyof F, O extends On, T> = OnOf<F[K]> extends O ? T : never
type Created<F, O extends On> = {
  [K in keyof F as IfOn<F, K, O, AbsentOf<F[K]> extends 'decided' ? never : K>]: Given<F[K]>
} & { [K in keyof F as IfOn<F, K, O, AbsentOf<F[K]> extends 'decided' ? K : never>]?: Given<F[K]> | undefined }
type ChangeOfFields<F, O extends On> = { [K in keyof F as IfOn<F, K, O, K>]?: Changed<F[K]> | undefined }

type CreatedLine<L> = Flat<Created<L, 'create' | 'both'>>
type KeptLine<L> = Flat<{ id?: string | undefined } & ChangeOfFields<L, 'create' | 'change' | 'both'>>
type ChangedLine<L> = Flat<KeptLine<L> & { remove: boolean }>

type Declared = { readonly fields: Members; readonly create?: SentFields; readonly change?: SentFields }
type Extra<N, K extends string> = N extends { readonly [P in K]: infer F } ? F : Record<never, never>
/** The body that makes a record, with defaults filled in. */
export type CreateOf<N extends Declared> = Flat<
  Created<N['fields'], 'create' | 'both'> & Created<Extra<N, 'create'>, On>
>
/** The body that changes a record. Undefined fields stay as they are. */
export type ChangeOf<N extends Declared> = Flat<
  ChangeOfFields<N['fields'], 'change' | 'both'> & ChangeOfFields<Extra<N, 'change'>, On>
>
/** A line in a creating body, and an entry of a change. */
export type CreatedLineOf<L extends { readonly fields: Members }> = CreatedLine<L['fields']>
export type ChangedLineOf<L extends { readonly fields: Members }> = ChangedLine<L['fields']>
export type KeptLineOf<L extends { readonly fields: Members }> = KeptLine<L['fields']>
/** A body of fields that belong to no document. */
export type BodyOf<F extends SentFields> = Flat<Created<F, On>>

// ---- the schemas

type Entry = v.GenericSchema
type Entries = Record<string, Entry>

const said = (schema: Entry, words: string | null | undefined): Entry => (words ? explained(schema, words) : schema)

/** A field of a body that makes a record. */
function createdEntry({ leaf: silent, takesNull, absent, fallback, words }: Sent): Entry {
  const leaf = said(silent, words?.made)
  if (absent === 'filled' || absent === 'counted')
    return fallback === null ? nullable(leaf) : withDefault(leaf, fallback)
  const entry = takesNull ? v.nullable(leaf) : leaf
  return absent === 'decided' ? optional(entry) : entry
}

function changedEntry({ leaf: own, merging, takesNull, words }: Sent, changed = words?.changed): Entry {
  const leaf = said(merging?.leaf ?? own, changed)
  return optional(takesNull ? v.nullable(leaf) : leaf)
}

function linesEntry(
  { of, sentLines, sentWords }: Pick<Lines, 'of' | 'sentLines' | 'sentWords'>,
  use: 'create' | 'change',
): Entry {
  const { absent, min, max, by, entries: bounds = { min, max: 2 * max } } = sentLines
  const isById = use === 'change' && by === 'id'
  const isNamed = use === 'change' && by !== 'whole'
  const line = isNamed ? changedLine(of, { isRemovable: isById }) : shapeOf(of.fields, 'create')
  const silent = list(line, isById ? bounds : { min, max })
  const entries = said(silent, isNamed ? changedWords(of, { isRemovable: isById }) : sentWords)
  if (use === 'change') return optional(entries)
  return absent === 'refused' ? entries : absent === 'filled' ? withDefault(entries, []) : optional(entries)
}

type Changing = { readonly isRemovable: boolean }

const changedWords = ({ noun }: LineDocument, { isRemovable }: Changing): string =>
  isRemovable
    ? `with \`id\` a change or removal of that ${noun}, without one a new ${noun}`
    : `with \`id\` a change of that ${noun}, without one a new ${noun}; others stay`

function changedLine({ fields, noun }: LineDocument, { isRemovable }: Changing): Entry {
  const own = Object.entries(fields).flatMap(([name, member]) => {
    if ('sentLines' in member) return [[name, linesEntry(member, 'change')] as const]
    if (!('sent' in member)) return []
    const { sent } = member as AnyField
    if (sent.on === 'never') return []
    return [[name, changedEntry(sent, sent.on === 'create' ? `of an added ${noun}` : undefined)] as const]
  })
  const removal: Entries = isRemovable ? { remove: withDefault(said(flag(), `whether the ${noun} goes`), false) } : {}
  return named(fields, {
    id: optional(said(id(), `the ${noun} to change; without it one is added`)),
    ...Object.fromEntries(own),
    ...removal,
  })
}

function entriesOf(fields: Members | SentFields, use: 'create' | 'change', isExtra = false): Entries {
  const entries: Entries = {}
  for (const [name, member] of Object.entries(fields)) {
    if ('sentLines' in member) {
      if (isExtra || isOn(member.sentLines.on, use)) entries[name] = linesEntry(member, use)
    } else if ('sent' in member) {
      const { sent } = member as AnyField
      if (isExtra || isOn(sent.on, use)) entries[name] = use === 'create' ? createdEntry(sent) : changedEntry(sent)
    }
  }
  return entries
}

/** Adds the entries for names of referenced records (`namedBy`). A body sends at most one of the two fields, and one where it must. */
function named(fields: Members | SentFields, entries: Entries): Entry {
  const namings = Object.entries(fields).flatMap(([name, member]) => {
    const naming = 'sent' in member ? (member as AnyField).sent.naming : undefined
    return naming && name in entries ? [{ name, naming, isRequired: entries[name]?.type !== 'optional' }] : []
  })
  if (namings.length === 0) return shape(entries)
  const all = { ...entries }
  for (const { name, naming } of namings) {
    all[name] = optional(all[name] as Entry)
    all[naming.as] = optional(said(naming.leaf, naming.words))
  }
  return v.pipe(
    shape(all),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const sent = dataset.value as Readonly<Record<string, unknown>>
      for (const { name, naming, isRequired } of namings) {
        const [isNamed, hasId] = [sent[naming.as] !== undefined, sent[name] !== undefined]
        if (isNamed === hasId && (isNamed || isRequired))
          addIssue({
            message: isNamed ? `must not stand beside ${name}` : `is required, or ${naming.as}`,
            path: [{ type: 'object', origin: 'value', input: sent, key: isNamed ? naming.as : name, value: undefined }],
          })
      }
    }),
  )
}

const shapeOf = (fields: Members | SentFields, use: 'create' | 'change', extra: SentFields = {}): Entry =>
  named({ ...fields, ...extra }, { ...entriesOf(fields, use), ...entriesOf(extra, use, true) })

const isOn = (on: On, use: 'create' | 'change'): boolean => on === 'both' || on === use

/** Reads the body that makes a record of the document. */
export const createBody = <N extends Declared>(of: N): v.GenericSchema<unknown, CreateOf<N>> =>
  shapeOf(of.fields, 'create', of.create) as never

/** Reads the body that changes a record of the document. */
export const changeBody = <N extends Declared>(of: N): v.GenericSchema<unknown, ChangeOf<N>> =>
  shapeOf(of.fields, 'change', of.change) as never

/**
 * Reads the body that makes or changes the record of a reference. No field is required and none gets a default, because an existing record
 * keeps what the body leaves out. Lines have no ids: the rules find them.
 */
export function putBody<N extends Declared>(of: N): v.GenericSchema<unknown, object> {
  const entries = (fields: Members | SentFields, isExtra = false): Entries =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, member]): [string, Entry][] => {
        if ('sentLines' in member) {
          const { min, max, by } = member.sentLines
          if (by === 'whole') return [[name, linesEntry(member, 'change')]]
          const words = `${member.of.noun}s by \`external_ref\`, else \`sku\`, else title; one that is not found is added, others stay`
          return [[name, optional(said(list(shape(entries(member.of.fields)), { min, max }), words))]]
        }
        const { sent } = member as Partial<AnyField>
        return sent === undefined || (!isExtra && sent.on === 'never') ? [] : [[name, changedEntry(sent)]]
      }),
    )
  const { [REFERENCE]: _, ...own } = entries(of.fields)
  return shape({ ...own, ...entries(of.create ?? {}, true) }) as never
}

/** Reads a body of fields that belong to no document: neither a new record nor a change. */
export const bodyOf = <const F extends SentFields>(fields: F): v.GenericSchema<unknown, BodyOf<F>> =>
  shape(entriesOf(fields, 'create', true)) as never

// ---- the values of a body

/** The default values of a new record or line. */
export const defaultsOf = memoized((fields: Members | SentFields): object => filledIn(fields, false))

/** As `defaultsOf`, for fields beside those of a record. */
export const extraDefaultsOf = memoized((fields: SentFields): object => filledIn(fields, true))

function filledIn(fields: Members | SentFields, isExtra: boolean): object {
  const filled = Object.entries(fields).filter(([, member]) => absentOf(member) === 'filled')
  return changedValues(fields, v.parse(shape(entriesOf(Object.fromEntries(filled), 'create', isExtra)), {}))
}

const absentOf = (member: Members[string]): Absent | undefined =>
  'sentLines' in member ? member.sentLines.absent : 'sent' in member ? (member as AnyField).sent.absent : undefined

/**
 * The body of a new record in the form for rules, see `changedValues`. A command that a process of the previous release queued lacks new
 * fields, which get their defaults.
 */
export const createdValues = <T extends object>(fields: Members | SentFields, body: T): T =>
  valuesOf(fields, body, true)

/**
 * A body in the form for rules: decimals are BigInts, as in records. (Queues carry decimals as text.) The same body gives the same object,
 * so repeated calls convert it once.
 */
export const changedValues = <T extends object>(fields: Members | SentFields, body: T): T =>
  valuesOf(fields, body, false)

const decimalsRead = new WeakMap<object, object>()

function valuesOf<T extends object>(fields: Members | SentFields, body: T, isNew: boolean): T {
  const known = decimalsRead.get(body)
  if (known) return known as T
  const values = { ...(isNew ? defaultsOf(fields) : {}), ...body } as Record<string, unknown>
  for (const [name, value] of Object.entries(body)) {
    const member = fields[name]
    if (member === undefined || value === null || value === undefined) continue
    if ('sentLines' in member) {
      const isNewLine = isNew || member.sentLines.by === 'whole'
      values[name] = (value as object[]).map(line => valuesOf(member.of.fields as Members, line, isNewLine))
    } else if (member.is === 'column' && member.type === 'numeric') values[name] = member.read(value as string)
  }
  decimalsRead.set(body, values)
  return values as T
}
