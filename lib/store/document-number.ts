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

/** `SA-00042`; longer than five digits when the count is. */
export function documentNumber(kind: DocumentKind, count: number): string {
  return `${documentPrefixes[kind]}-${String(count).padStart(5, '0')}`
}

/** A tenant's counters while its commands run. */
export class DocumentNumbers {
  readonly #counts: Partial<Record<DocumentKind, number>>

  constructor(counts: Readonly<Partial<Record<DocumentKind, number>>>) {
    this.#counts = { ...counts }
  }

  /** The next number, or the one so many further, without using it up. */
  peek(kind: DocumentKind, further = 0): string {
    return documentNumber(kind, (this.#counts[kind] ?? 0) + 1 + further)
  }

  /** Uses the next number up. */
  take(kind: DocumentKind): string {
    const number = this.peek(kind)
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1
    return number
  }

  /** How many of each kind are used up. */
  get counts(): Readonly<Partial<Record<DocumentKind, number>>> {
    return this.#counts
  }
}
