/**
 * What commands ask the database. A question is declared once. A load gathers the questions of all commands of a unit of work and asks them in
 * one round trip: one statement per question, whatever the number of commands and tenants.
 */
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { type Key, Known, type Read } from './answers.ts'
import type { Sql } from './sql.ts'
import type { Work } from './work.ts'

export type Works = ReadonlyMap<string, Work>

/** One statement and the questions that it answers. */
export type Source = { query(): Query; take(rows: readonly TextRow[], works: Works): void }

export class Load {
  readonly #sources = new Map<string, Source>()
  /** Whether only one command runs. Sources with a limit then load more rows. */
  readonly isAlone: boolean

  /** About when the commands run: a tenant's day is one of the days around it. In ms since 1970. */
  readonly nowMs: number

  constructor({ nowMs, isAlone = false }: { readonly nowMs: number; readonly isAlone?: boolean }) {
    this.isAlone = isAlone
    this.nowMs = nowMs
  }

  /** The source of this name. The first question makes it. */
  source<S extends Source>(name: string, make: () => S): S {
    const known = this.#sources.get(name)
    if (known) return known as S
    const source = make()
    this.#sources.set(name, source)
    return source
  }

  get queries(): readonly Query[] {
    return [...this.#sources.values()].map(source => source.query())
  }

  /** Gives the rows of `queries` to the tenants that asked. Rows of tenants without work are dropped. */
  take(answers: readonly (readonly TextRow[])[], works: Works): void {
    for (const [at, source] of [...this.#sources.values()].entries()) source.take(answers[at] ?? [], works)
  }
}

type Declared<K extends string, T> = {
  readonly name: string
  /** The keys of the question, with the types of PostgreSQL. */
  readonly keys: Readonly<Record<K, 'bigint' | 'text' | 'timestamptz'>>
  /**
   * A statement over the rows `asked`: `q.tenant_id`, and each key as `q.<key>`. Its rows name the tenant and the keys that they answer. A
   * plain text asks about one key of one tenant instead: `$1` is the tenant, and the keys follow in order. Use that for rare commands.
   */
  readonly sql: ((asked: Sql) => Sql) | Sql
  /** The sources of the answer that commands may change, as in `Known`. */
  readonly reads?: readonly Read<K, T>[]
}

/** Stores the answers of the rows to the keys, for one tenant. */
type Take<K extends string> = (work: Work, rows: readonly TextRow[], keys: readonly Key<K>[]) => void

export class Question<K extends string, T> extends Known<K, T> {
  readonly text: Sql
  readonly asksOne: boolean
  readonly take: Take<K>

  constructor({ name, keys, sql, reads = [] }: Declared<K, T>, take: Take<K>) {
    const names = Object.keys(keys) as K[]
    super(name, names, reads)
    const arrays = ['bigint', ...names.map(key => keys[key])].map((type, at) => `$${at + 1}::${type}[]`)
    this.asksOne = typeof sql === 'string'
    this.text =
      typeof sql === 'string' ? sql : sql(`unnest(${arrays.join(', ')}) as q (${['tenant_id', ...names].join(', ')})`)
    this.take = take
  }

  ask(load: Load, tenantId: string, key: Key<K>): void {
    const name = this.asksOne ? `${this.name} ${tenantId} ${this.textOf(key)}` : this.name
    load.source(name, () => new Asked(this)).ask(tenantId, key)
  }
}

/** Declares a question. `read` makes the answer from the rows of one key. Records in these rows go into the work. */
export function question<const K extends string, T>({
  read,
  ...declared
}: Declared<K, T> & { readonly read: (rows: readonly TextRow[], work: Work) => T }): Question<K, T> {
  const made: Question<K, T> = new Question(declared, (work, rows, keys) => {
    // With only one key all rows belong to it. The rows of a statement about one key do not name the key.
    const byKey = keys.length === 1 ? null : Map.groupBy(rows, row => made.textOf(row as Key<K>))
    for (const key of keys)
      work.putAnswer(made, key, read(byKey === null ? rows : (byKey.get(made.textOf(key)) ?? []), work))
  })
  return made
}

/** The keys that one load asks about, each once. */
class Asked<K extends string, T> implements Source {
  readonly #question: Question<K, T>
  readonly #keys = new Map<string, Map<string, Key<K>>>()

  constructor(question: Question<K, T>) {
    this.#question = question
  }

  ask(tenantId: string, key: Key<K>): void {
    const keys = this.#keys.get(tenantId) ?? new Map<string, Key<K>>()
    this.#keys.set(tenantId, keys.set(this.#question.textOf(key), key))
  }

  query(): Query {
    const { text, asksOne } = this.#question
    const rows = [...this.#keys].flatMap(([tenantId, keys]) =>
      keys
        .values()
        .map(key => [tenantId, ...this.#question.valuesOf(key)])
        .toArray(),
    )
    const [first = []] = rows
    return { text, values: asksOne ? first : first.map((_, at) => rows.map(row => row[at])) }
  }

  take(rows: readonly TextRow[], works: Works): void {
    const byTenant = this.#keys.size === 1 ? null : Map.groupBy(rows, row => row['tenant_id'] ?? '')
    for (const [tenantId, keys] of this.#keys) {
      const work = works.get(tenantId)
      const own = byTenant === null ? rows : (byTenant.get(tenantId) ?? [])
      if (work !== undefined) this.#question.take(work, own, [...keys.values()])
    }
  }
}
