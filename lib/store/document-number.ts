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
