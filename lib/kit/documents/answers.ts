/** The known answers of one tenant's commands, by key: as the database gave them, and as earlier commands changed them. */
import type { Journal } from './journal.ts'
import { NextUnit } from './next-unit.ts'

export type Key<K extends string> = Readonly<Record<K, string>>

/** The source of an answer: a table, or rows of a table by their ids. */
export type Read<K extends string, T> =
  | string
  | readonly [table: string, id: (answer: T, key: Key<K>) => string | readonly string[] | null | undefined]

/** A kind of answer. `question` (question.ts) declares the kinds that have a statement of their own. */
export class Known<K extends string, T> {
  readonly name: string
  readonly #keys: readonly K[]
  readonly #reads: readonly Read<K, T>[]

  /** @param reads the sources: a command that changes one makes the answer out of date, and the next unit of work asks again */
  constructor(name: string, keys: readonly K[], reads: readonly Read<K, T>[] = []) {
    this.name = name
    this.#keys = keys
    this.#reads = reads
  }

  /** The values of the key, in the declared order. */
  valuesOf(key: Readonly<Partial<Record<K, string | null>>>): string[] {
    return this.#keys.map(name => key[name] ?? '')
  }

  textOf(key: Readonly<Partial<Record<K, string | null>>>): string {
    return this.valuesOf(key).join('\0')
  }

  /** The sources of the answer: tables, and rows as `table id`. */
  readFrom(answer: T, key: Key<K>): string[] {
    return this.#reads.flatMap(read =>
      typeof read === 'string' ? read : [read[1](answer, key) ?? []].flat().map(id => `${read[0]} ${id}`),
    )
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each kind declares the types of its keys and answers
type AnyKnown = Known<any, any>

const DROPPED = Symbol('dropped')

export class Answers {
  readonly #journal: Journal
  readonly #answers = new Map<AnyKnown, Map<string, unknown>>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Stores an answer of the database. */
  put<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#of(known).set(known.textOf(key), answer)
  }

  /** The answer, if a command asked for it or set it. */
  find<K extends string, T>(known: Known<K, T>, key: Key<K>): T | undefined {
    const answer = this.#of(known).get(known.textOf(key))
    return answer === DROPPED ? undefined : (answer as T | undefined)
  }

  /** The current answer. @throws NextUnit if no command asked for it, or a command has dropped it */
  see<K extends string, T>(known: Known<K, T>, key: Key<K>): T {
    const text = known.textOf(key)
    const answers = this.#of(known)
    const answer = answers.get(text)
    if (answer === DROPPED) throw new NextUnit(`${known.name} ${text} has changed`)
    if (!answers.has(text)) throw new NextUnit(`${known.name} ${text} was not asked for`)
    return answer as T
  }

  /** Sets the answer for this and later commands. */
  change<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#journal.set(this.#of(known), known.textOf(key), answer)
  }

  /** Drops the answer: only the next unit of work can answer. */
  drop<K extends string, T>(known: Known<K, T>, key: Key<K>): void {
    const [answers, text] = [this.#of(known), known.textOf(key)]
    if (answers.has(text)) this.#journal.set(answers, text, DROPPED)
  }

  #of(known: AnyKnown): Map<string, unknown> {
    const made = this.#answers.get(known) ?? new Map<string, unknown>()
    this.#answers.set(known, made)
    return made
  }
}
