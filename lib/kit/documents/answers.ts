/** Owns what the commands of one tenant know by key: as the database answered, and as the commands before left it. */
import type { Journal } from './journal.ts'
import { NextUnit } from './next-unit.ts'

export type Key<K extends string> = Readonly<Record<K, string>>

/** What an answer was read from: a table, or one row of it, by its id. */
export type Read<K extends string, T> =
  | string
  | readonly [table: string, id: (answer: T, key: Key<K>) => string | undefined]

/** A kind of knowledge. `question` (question.ts) declares the kinds that a statement of their own answers. */
export class Known<K extends string, T> {
  readonly name: string
  readonly #keys: readonly K[]
  readonly #reads: readonly Read<K, T>[]

  /** @param reads commands that change any of it make the answer stale: the next unit of work asks again. */
  constructor(name: string, keys: readonly K[], reads: readonly Read<K, T>[] = []) {
    this.name = name
    this.#keys = keys
    this.#reads = reads
  }

  /** The values of the key, in the order of its declaration. */
  valuesOf(key: Readonly<Partial<Record<K, string | null>>>): string[] {
    return this.#keys.map(name => key[name] ?? '')
  }

  /** The key as one text. */
  textOf(key: Readonly<Partial<Record<K, string | null>>>): string {
    return this.valuesOf(key).join('\0')
  }

  /** What the answer was read from: tables, and rows as `table id`. */
  readFrom(answer: T, key: Key<K>): string[] {
    return this.#reads.map(read => (typeof read === 'string' ? read : `${read[0]} ${read[1](answer, key)}`))
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

  /** Takes down what the database answered. */
  put<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#of(known).set(known.textOf(key), answer)
  }

  /** The answer where anybody asked or a command said it. */
  find<K extends string, T>(known: Known<K, T>, key: Key<K>): T | undefined {
    const answer = this.#of(known).get(known.textOf(key))
    return answer === DROPPED ? undefined : (answer as T | undefined)
  }

  /** The answer as it is now. @throws NextUnit when nobody asked, or a command has dropped it. */
  see<K extends string, T>(known: Known<K, T>, key: Key<K>): T {
    const text = known.textOf(key)
    const answers = this.#of(known)
    const answer = answers.get(text)
    if (answer === DROPPED) throw new NextUnit(`${known.name} ${text} has changed`)
    if (!answers.has(text)) throw new NextUnit(`${known.name} ${text} was not asked for`)
    return answer as T
  }

  /** Says what the answer is from now on. */
  change<K extends string, T>(known: Known<K, T>, key: Key<K>, answer: T): void {
    this.#journal.set(this.#of(known), known.textOf(key), answer)
  }

  /** Says that only the next unit of work can answer. */
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
