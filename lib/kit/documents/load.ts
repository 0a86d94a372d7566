/**
 * Gathers the needs of a unit of work's commands, and loads all in one round trip: one statement per kind of question, whatever the number
 * of commands and tenants.
 */
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
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
