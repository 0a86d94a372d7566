/** The ids of the records with the values of unique fields: as loaded, and as the commands of a unit of work changed them. */
import { memoizedBy } from '../../platform/memoized.ts'
import { type Answers, Known } from './answers.ts'
import type { AnyDocument } from './document.ts'
import type { Journal } from './journal.ts'
import { NextUnit } from './next-unit.ts'

type Values = Readonly<Record<string, unknown>> & { readonly id: string }

/** The id of the record with a value in a unique field; null: no record has it. */
export const holderOf = memoizedBy(
  (document: AnyDocument, field: string) => new Known<'value', string | null>(`${document.kind} ${field}`, ['value']),
)

export class UniqueValues {
  readonly #answers: Answers
  readonly #journal: Journal
  /** Values that a changed (`false`) or removed (`true`) record had when it was loaded. */
  readonly #givenUp = new Map<string, boolean>()

  constructor(answers: Answers, journal: Journal) {
    this.#answers = answers
    this.#journal = journal
  }

  /** A record was made (`before` is null), changed, or removed (`after` is null). */
  change(document: AnyDocument, before: Values | null, after: Values | null): void {
    for (const field of document.unique) {
      const [old = null, value = null] = [before?.[field] as string | null, after?.[field] as string | null]
      if (old === value) continue
      if (old !== null) {
        this.#answers.change(holderOf(document, field), { value: old }, null)
        this.#journal.set(this.#givenUp, keyOf(document, field, old), after === null)
      }
      if (value === null) continue
      this.#refuseGivenUp(keyOf(document, field, value), before === null)
      this.#answers.change(holderOf(document, field), { value }, after?.id ?? null)
    }
  }

  /** PostgreSQL checks unique texts row by row. The order of rows in one update is unknown, and removals come last. @throws NextUnit */
  #refuseGivenUp(key: string, isNew: boolean): void {
    const removed = this.#givenUp.get(key)
    if (removed === undefined || (isNew && !removed)) return
    throw new NextUnit(`${key} was given up in this unit of work`)
  }
}

const keyOf = (document: AnyDocument, field: string, value: string) => `${document.kind}.${field}=${value}`
