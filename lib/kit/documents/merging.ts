/**
 * The effect of a change on a record and its lines: the body's plain fields replace those of the record, and each entry of its lines
 * changes one, removes one or adds one (docs/rules/documents.md).
 */
import { allInvalid, decideEach, invalid, isRefusal, noSuch, type Refusal } from '../api/errors.ts'
import { type ChangedLineOf, type ChangeOf, type CreatedLineOf, defaultsOf } from '../fields/bodies.ts'
import type { AnyField, Sent } from '../fields/field.ts'
import { given } from './command.ts'
import type { Fields, LineDocument, RecordOf } from './document.ts'

type Values = Readonly<Record<string, unknown>>

/** The fields that bodies may send, by name, and how they are sent. */
const sentIn = (fields: Fields): readonly (readonly [name: string, sent: Sent, field: AnyField])[] =>
  Object.entries(fields).flatMap(([name, member]) => {
    const field = 'sent' in member ? (member as AnyField) : null
    return field === null || field.sent.on === 'never' ? [] : [[name, field.sent, field]]
  })

const identical = (one: unknown, other: unknown): boolean => one === other

/** The record or line with the plain fields that a change gives. It is the same object if none differs. */
export function merged<D extends { readonly fields: Fields }>(
  of: D,
  before: RecordOf<D>,
  change: ChangeOf<D>,
): RecordOf<D> {
  const [old, sent] = [before as Values, change as Values]
  const differing = sentIn(of.fields).flatMap(([name, { on }, { same = identical }]) =>
    on !== 'create' && sent[name] !== undefined && !same(sent[name], old[name]) ? [[name, sent[name]]] : [],
  )
  return differing.length === 0 ? before : { ...before, ...Object.fromEntries(differing) }
}

/**
 * The change with whole values for fields that merge with the present value. A value that stays the same is the same object as before.
 * Refuses `validation_failed` if the merged value is beyond its limits. @param at the path of the record in the body, with a point at its
 * end: `items[3].`
 */
export function withMerged<B extends object>(
  of: { readonly fields: Fields },
  before: object,
  change: B,
  at = '',
): B | Refusal {
  const [old, sent] = [before as Values, change as Values]
  const faults: Refusal[] = []
  const values = sentIn(of.fields).flatMap(([name, { merging }]) => {
    if (merging === undefined || sent[name] === undefined) return []
    const result = merging.merge(old[name], sent[name])
    if ('after' in result) return [[name, result.after]]
    faults.push(invalid(`${at}${name}`, result.fault))
    return []
  })
  if (faults.length > 0) return allInvalid(faults)
  return values.length === 0 ? change : { ...change, ...Object.fromEntries(values) }
}

// biome-ignore lint/suspicious/noExplicitAny: lines whose declaration holds the types
type AnyLine = LineDocument<any>
type Entry = Values & { readonly id?: string; readonly remove: boolean }

/**
 * Checks a change's lines by the body alone, for entries that name lines by their ids. Refuses `validation_failed`: a line that is named
 * twice, a new line without a required field, a field that lines never change, and a removal together with a change.
 */
export function refuseEntries(fields: Fields, body: object): Refusal | null {
  for (const [name, member] of Object.entries(fields)) {
    if (member.is !== 'lines' || member.sentLines.by !== 'id') continue
    const sent = sentIn(member.of.fields)
    const seen = new Set<string>()
    const judged = decideEach((body as Readonly<Record<string, Entry[]>>)[name] ?? [], (entry, index) => {
      const at = `${name}[${index}]`
      if (entry.id === undefined) return refuseAddition(at, entry, sent)
      if (seen.has(entry.id)) return invalid(`${at}.id`, 'the line appears twice')
      seen.add(entry.id)
      return refuseAmendment(at, entry, sent)
    })
    if (isRefusal(judged)) return judged
  }
  return null
}

type SentFields = ReturnType<typeof sentIn>

function refuseAddition(at: string, entry: Entry, sent: SentFields): Refusal | null {
  if (entry.remove) return invalid(`${at}.remove`, 'goes with the id of a line')
  const missing = sent.find(
    ([name, { on, absent }]) => on !== 'change' && absent === 'refused' && entry[name] === undefined,
  )
  return missing ? invalid(`${at}.${missing[0]}`, 'is required for a new line') : null
}

function refuseAmendment(at: string, entry: Entry, sent: SentFields): Refusal | null {
  const named = sent.filter(([name]) => entry[name] !== undefined)
  const fixed = named.find(([, { on }]) => on === 'create')
  if (fixed) return invalid(`${at}.${fixed[0]}`, 'cannot change: remove the line and add another')
  return entry.remove && named.length > 0 ? invalid(`${at}.remove`, 'must not stand beside a change of the line') : null
}

/** The rules for an entry. `at` is its path in the body: `items[3]`. */
type LineRules<L extends AnyLine> = {
  readonly added: (line: CreatedLineOf<L>, at: string) => RecordOf<L> | Refusal
  readonly changed: (line: RecordOf<L>, change: ChangedLineOf<L>, at: string) => RecordOf<L> | Refusal
  /** Returns null if the line may be removed. */
  readonly removed: (line: RecordOf<L>, at: string) => Refusal | null
}

/**
 * The lines after the entries of a change, which `refuseEntries` has checked: lines that no entry names stay, and added ones come last.
 * Refuses `validation_failed` for an id of no line, and what the rules refuse. @param change `noun` is the name of a line in messages:
 * `line of this order`
 */
export function lineChanges<L extends AnyLine>(
  of: L,
  change: {
    readonly list: string
    readonly noun: string
    readonly before: readonly RecordOf<L>[]
    readonly entries: readonly ChangedLineOf<L>[]
  },
  { added, changed, removed }: LineRules<L>,
): readonly RecordOf<L>[] | Refusal {
  const lines = new Map(change.before.map(line => [idOf(line), line]))
  const decided = decideEach(change.entries, (entry, index) => {
    const at = `${change.list}[${index}]`
    const { id, remove, ...fields } = entry as Entry
    const stored = id === undefined ? undefined : lines.get(id)
    if (id !== undefined && stored === undefined) return noSuch(`${at}.id`, change.noun)
    if (stored !== undefined && remove) return removed(stored, at) ?? lines.delete(idOf(stored))
    const line = changedOrAdded(stored, { entry, fields }, at)
    return isRefusal(line) ? line : lines.set(idOf(line), line)
  })
  return isRefusal(decided) ? decided : [...lines.values()]

  function changedOrAdded(
    stored: RecordOf<L> | undefined,
    { entry, fields }: { readonly entry: ChangedLineOf<L>; readonly fields: object },
    at: string,
  ): RecordOf<L> | Refusal {
    const defaults = defaultsOf(of.fields)
    const whole = withMerged(of, (stored ?? defaults) as object, stored === undefined ? fields : entry, `${at}.`)
    if (isRefusal(whole)) return whole
    if (stored !== undefined) return changed(stored, whole as ChangedLineOf<L>, at)
    return added({ ...defaults, ...given(whole) } as CreatedLineOf<L>, at)
  }
}

const idOf = (line: object): string => (line as { readonly id: string }).id
