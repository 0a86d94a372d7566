/**
 * What the statements of a migration lock, and which of their work grows with a table, as far as their first words say. A lock that only
 * a called function takes is not found here; its time limit meets it. This file asks no database.
 */
import { statementsOf } from '../distribute.ts'

/** Lock modes of PostgreSQL that hold up requests or other changes of a table, each stronger than the one before. */
export const MODES = [
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
] as const
export type Mode = (typeof MODES)[number]

/** A table that a statement locks: by its own name, that of its index, or that of a foreign key which refers to it. */
export type Locked = { readonly by: 'table' | 'index' | 'key'; readonly name: string; readonly mode: Mode }

/** Work that takes longer the larger the table is. */
export type Work = {
  readonly table: string
  readonly does: 'builds an index of' | 'reads' | 'changes rows of' | 'rewrites'
  /** Undefined: the work is done under the migration's locks. */
  readonly beside?: Beside
}

/** How work is done while requests go on. */
export type Beside = {
  /** Before or after the transaction of the migration. */
  readonly when: 'ahead' | 'later'
  readonly text: string
  /** The statement of the migration that is left out then, on one line. */
  readonly line: string
}

/** Each statement of such a file runs for itself, and may run again: its first line is this comment. */
export const isWithoutTransaction = (text: string): boolean => /^-- no transaction\b/.test(text)

/** The statements of a text, each on one line. */
export const linesOf = (text: string): string[] => statementsOf(text).map(statement => statement.replace(/\s+/g, ' '))

const CREATE_INDEX = /^create (?<unique>unique )?index (?:if not exists )?(?<index>\w+) on (?:only )?(?<table>\w+)/i
const VALIDATE = /^alter table (?<table>\w+) validate constraint (?<constraint>\w+)$/i

/** The first form that fits tells the mode; what it captures are the names. */
const FORMS: readonly { readonly form: RegExp; readonly mode: Mode; readonly by?: Locked['by'] }[] = [
  { form: VALIDATE, mode: 'share update exclusive' },
  { form: /^alter table (\w+) (?:alter column \w+ )?set \([^()]*\)$/i, mode: 'share update exclusive' },
  { form: /^comment on (?:table|column) (\w+)/i, mode: 'share update exclusive' },
  { form: /^alter table (?:if exists )?(?:only )?(\w+)/i, mode: 'access exclusive' },
  { form: /^create table \w+ partition of (\w+)/i, mode: 'access exclusive' },
  { form: /^truncate (?:table )?([\w, ]+)/i, mode: 'access exclusive' },
  { form: /^drop table (?:if exists )?([\w, ]+)/i, mode: 'access exclusive' },
  { form: /^drop index (?:if exists )?(?!concurrently)([\w, ]+)/i, mode: 'access exclusive', by: 'index' },
  { form: /^drop trigger (?:if exists )?\w+ on (\w+)/i, mode: 'access exclusive' },
  { form: /^create (?:or replace )?(?:constraint )?trigger .*? on (\w+)/i, mode: 'share row exclusive' },
  { form: /^create (?:unique )?index concurrently .*?\bon (?:only )?(\w+)/i, mode: 'share update exclusive' },
  { form: /^create (?:unique )?index .*?\bon (?:only )?(\w+)/i, mode: 'share' },
]

/** What a statement (on one line) locks. */
export function locksOf(line: string): Locked[] {
  // What a block does stands in texts: any word there may name a table.
  if (/^do\b/i.test(line)) return locked('access exclusive', 'table', [...new Set(line.match(/\w+/g))])
  const { form, mode = 'share', by = 'table' } = FORMS.find(each => each.form.test(line)) ?? {}
  const own = form?.exec(line)?.[1]?.split(',') ?? []
  const isOfTable = /^(?:alter|create) table\b/i.test(line)
  return [
    ...locked(
      mode,
      by,
      own.map(name => name.trim()),
    ),
    ...locked('access exclusive', 'key', isOfTable ? captured(/\bdrop constraint (?:if exists )?(\w+)/gi, line) : []),
    ...locked('share row exclusive', 'table', isOfTable ? captured(/\breferences (\w+)/gi, line) : []),
  ]
}

const locked = (mode: Mode, by: Locked['by'], names: readonly string[]): Locked[] =>
  names.map(name => ({ by, name, mode }))

const captured = (pattern: RegExp, line: string): string[] => [...line.matchAll(pattern)].map(([, name = '']) => name)

/** The work of a migration that grows with tables. */
export function workOf(text: string): Work[] {
  const lines = linesOf(text)
  const fresh = freshNames(lines)
  const dropped = lines.flatMap(locksOf).flatMap(({ by, name }) => (by === 'index' ? [name] : []))
  const partitioned = lines.flatMap(line => captured(/^create table (\w+) .*\bpartition by\b/gi, line))
  return lines.flatMap((line): Work[] => {
    const { index, unique, table = '', constraint } = (CREATE_INDEX.exec(line) ?? VALIDATE.exec(line))?.groups ?? {}
    const needsMigration = line.match(/\w+/g)?.some(word => fresh.has(word) || fresh.has(`${table}.${word}`)) ?? false
    const beside = (when: Beside['when'], text: string) => ({ beside: { when, text, line } })
    if (index !== undefined) {
      const concurrent = line.replace(/ index (?:if not exists )?/i, ' index concurrently if not exists ')
      const isAhead = !needsMigration && !dropped.includes(index)
      // What is unique must be so from the beginning.
      const isLater = !isAhead && unique === undefined && !partitioned.includes(table)
      const how = { ...(isAhead && beside('ahead', concurrent)), ...(isLater && beside('later', concurrent)) }
      return [{ table, does: 'builds an index of', ...how }]
    }
    if (constraint !== undefined) return [{ table, does: 'reads', ...(!needsMigration && beside('ahead', line)) }]
    return worksUnderLocks(line)
  })
}

/** What the statements make that others may use: functions, tables and constraints, and columns behind their table. */
function freshNames(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap(line => {
      const [altered = ''] = captured(/^alter table (\w+)/gi, line)
      return [
        ...captured(/^create (?:or replace )?(?:function|table) (?:if not exists )?(\w+)/gi, line),
        ...captured(/\badd constraint (\w+)/gi, line),
        ...captured(/\badd (?:column )?(?:if not exists )?(\w+)/gi, line).map(column => `${altered}.${column}`),
      ]
    }),
  )
}

const FULL_CHECK = /\bset not null\b|\badd (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b/i

function worksUnderLocks(line: string): Work[] {
  const [altered] = captured(/^alter table (\w+)/gi, line)
  if (altered !== undefined && /\balter column \w+ (?:set data )?type\b/i.test(line))
    return [{ table: altered, does: 'rewrites' }]
  if (altered !== undefined && FULL_CHECK.test(line) && !/\bnot valid\b/i.test(line))
    return [{ table: altered, does: 'reads' }]
  const [changed] = captured(/^(?:update|delete from) (?:only )?(\w+)/gi, line)
  if (changed !== undefined) return [{ table: changed, does: 'changes rows of' }]
  if (/^(?:insert|with)\b/i.test(line))
    return captured(/\b(?:from|join) (\w+)/gi, line).map(table => ({ table, does: 'reads' }))
  return []
}
