/** Who has the values of unique fields: as they were loaded, and as the commands of a unit of work left them. */
import type { AnyDocument } from './document.ts'
import type { Journal } from './journal.ts'
import { Later } from './later.ts'

type Values = Readonly<Record<string, unknown>> & { readonly id: string }

export class UniqueValues {
  readonly #journal: Journal
  /** By document, field and value; null: nobody. */
  readonly #holders = new Map<string, string | null>()
  /** Values that changed (`false`) or removed (`true`) records had when they were loaded. */
  readonly #givenUp = new Map<string, boolean>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Takes down what the database holds. */
  put(document: AnyDocument, field: string, value: string, id: string | null): void {
    this.#holders.set(keyOf(document, field, value), id)
  }

  /** Whose field has this value; null: nobody's. @throws Later when it was not asked for. */
  holder(document: AnyDocument, field: string, value: string): string | null {
    const holder = this.#holders.get(keyOf(document, field, value))
    if (holder === undefined) throw new Later(`${document.kind} ${field} was not asked for`)
    return holder
  }

  /** Whether anybody is known to have the value. */
  isHeld(document: AnyDocument, field: string, value: string): boolean {
    return (this.#holders.get(keyOf(document, field, value)) ?? null) !== null
  }

  /** Says who has the value from now on. */
  hold(document: AnyDocument, field: string, value: string, id: string | null): void {
    this.#journal.set(this.#holders, keyOf(document, field, value), id)
  }

  /** A record was made (`before` is null), changed, or removed (`after` is null). */
  change(document: AnyDocument, before: Values | null, after: Values | null): void {
    for (const field of document.unique) {
      const [old = null, value = null] = [before?.[field] as string | null, after?.[field] as string | null]
      if (old === value) continue
      if (old !== null) {
        this.hold(document, field, old, null)
        this.#journal.set(this.#givenUp, keyOf(document, field, old), after === null)
      }
      if (value === null) continue
      this.#refuseGivenUp(keyOf(document, field, value), before === null)
      this.hold(document, field, value, after?.id ?? null)
    }
  }

  /**
   * Postgres checks unique texts row by row: of rows that one statement updates the order is not known, and removals come last.
   * @throws Later
   */
  #refuseGivenUp(key: string, isNew: boolean): void {
    const removed = this.#givenUp.get(key)
    if (removed === undefined || (isNew && !removed)) return
    throw new Later(`${key} was given up in this unit of work`)
  }
}

const keyOf = (document: AnyDocument, field: string, value: string) => `${document.kind}.${field}=${value}`
