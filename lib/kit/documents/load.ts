/**
 * Gathers what the commands of a unit of work must see, and asks for all of it in one round trip: one statement per kind of
 * question, whatever the number of commands and tenants.
 */
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import type { Work } from './work.ts'

export type Works = ReadonlyMap<string, Work>

/** One statement and the questions that it answers. */
export type Source = { query(): Query; take(rows: readonly TextRow[], works: Works): void }

export class Load {
  readonly #sources = new Map<string, Source>()
  /** Whether it is for one command, which runs by itself: sources that have a limit load more rows then. */
  readonly isAlone: boolean

  constructor({ isAlone = false } = {}) {
    this.isAlone = isAlone
  }

  /** The source of this name, made at its first question. */
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

  /** Hands the rows of `queries` to the tenants that asked; those of tenants without work go nowhere. */
  take(answers: readonly (readonly TextRow[])[], works: Works): void {
    for (const [at, source] of [...this.#sources.values()].entries()) source.take(answers[at] ?? [], works)
  }
}
