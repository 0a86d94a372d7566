/**
 * Numbers of documents (`SA-00001`), counted per tenant and kind (contract 1, "Document numbers"). It only spells them;
 * the counters live on the tenant's row and are written by the command runner.
 */

/** Prefix per kind of document. */
export const documentPrefixes = {
  manufacturing_order: 'MO',
  purchase_order: 'PO',
  sales_order: 'SO',
  sales_shipment: 'SH',
  sales_packing: 'PK',
  sales_return: 'SR',
  purchase_receipt: 'PR',
  stock_adjustment: 'SA',
  stock_transfer: 'ST',
} as const

export type DocumentKind = keyof typeof documentPrefixes

/** Digits that a number has at least; it has more when the count does. */
export const NUMBER_DIGITS_MIN = 5

/** `SA-00042`. lib/accounting/skip-taken.ts spells the same in SQL. */
export function documentNumber(kind: DocumentKind, count: number): string {
  return `${documentPrefixes[kind]}-${String(count).padStart(NUMBER_DIGITS_MIN, '0')}`
}

/** The table of a kind's documents; `number` is unique per tenant there. */
export const documentTable = (kind: DocumentKind): string => `${kind}s`

/** A tenant's counters while its commands run. */
export class DocumentNumbers {
  readonly #counts: Partial<Record<DocumentKind, number>>

  constructor(counts: Readonly<Partial<Record<DocumentKind, number>>>) {
    this.#counts = { ...counts }
  }

  /** The next number, or the one so many further, without using it up. */
  peek(kind: DocumentKind, further = 0): string {
    return documentNumber(kind, this.used(kind) + 1 + further)
  }

  /** Uses the next number up. */
  take(kind: DocumentKind): string {
    const number = this.peek(kind)
    this.skipTo(kind, this.used(kind) + 1)
    return number
  }

  /** How many of the kind are used up. */
  used(kind: DocumentKind): number {
    return this.#counts[kind] ?? 0
  }

  /** Uses all up to this count up. */
  skipTo(kind: DocumentKind, count: number): void {
    if (count < this.used(kind)) throw new RangeError(`${kind} ${count} is used up already`)
    this.#counts[kind] = count
  }

  /** How many of each kind are used up. */
  get counts(): Readonly<Partial<Record<DocumentKind, number>>> {
    return this.#counts
  }
}
