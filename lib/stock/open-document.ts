/**
 * Opens the ledger for a new stock document: its number, its id, and whether number and external_ref are free. It must not
 * know what the document does to the stock.
 */
import * as v from 'valibot'
import { loadNumbered } from '../accounting/numbered-load.ts'
import type { CommandContext } from '../api/endpoint.ts'
import { invalid, type Refusal } from '../api/errors.ts'
import { sql } from '../store/postgres.ts'
import { takeFreshId } from './book.ts'
import { type Ledger, openLedger } from './ledger.ts'
import type { BookWishes } from './load-book.ts'

const tables = { stock_adjustment: 'stock_adjustments', stock_transfer: 'stock_transfers' } as const

const Taken = v.object({ number_taken: v.boolean(), external_ref_taken: v.boolean() })

export type OpenedDocument = { readonly id: string; readonly number: string; readonly ledger: Ledger }

/**
 * Loads the ledger with the document's number; one round trip, and one more past each counted number that a caller took.
 * Refuses `validation_failed` for a taken number or external_ref.
 */
export async function openStockDocument(
  context: CommandContext,
  document: {
    readonly kind: keyof typeof tables
    readonly number: string | null
    readonly externalRef: string | null
    readonly wishes: (number: string) => Pick<BookWishes, 'positions' | 'batches' | 'freshIds'>
  },
): Promise<OpenedDocument | Refusal> {
  const table = sql.identifier([tables[document.kind]])
  const tenantId = context.tenant.id
  const { number, loaded } = await loadNumbered(context, {
    kind: document.kind,
    given: document.number,
    load: async wanted => {
      const wishes = document.wishes(wanted)
      const also = sql.fragment`json_build_object(
        'number_taken', exists (select from ${table} where tenant_id = ${tenantId}::bigint and number = ${wanted}),
        'external_ref_taken', exists (
          select from ${table} where tenant_id = ${tenantId}::bigint and external_ref = ${document.externalRef}
        )
      )`
      const ledger = await openLedger(context, { ...wishes, freshIds: wishes.freshIds + 1, also })
      return { ledger, taken: v.parse(Taken, ledger.also) }
    },
    isTaken: ({ taken }) => taken.number_taken,
  })
  const { ledger, taken } = loaded
  if (taken.number_taken) return invalid('number', 'is taken')
  if (taken.external_ref_taken) return invalid('external_ref', 'is taken')
  return { id: takeFreshId(ledger.book), number, ledger }
}
