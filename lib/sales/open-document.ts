/**
 * Opens the stock ledger for a sales command: the document that it makes (its number and id, and whether number and
 * external_ref are free) and what else sales asks for, in one query. It must not know what the document does.
 */
import * as v from 'valibot'
import { loadNumbered } from '../accounting/numbered-load.ts'
import { refuseTaken, Taken, takenLookup } from '../accounting/taken.ts'
import type { CommandContext } from '../api/endpoint.ts'
import type { Refusal } from '../api/errors.ts'
import { takeFreshId } from '../stock/book.ts'
import type { BookWishes } from '../stock/book-wishes.ts'
import { type Ledger, openLedger } from '../stock/ledger.ts'
import { type Fragment, sql } from '../store/postgres.ts'

const tables = {
  sales_shipment: 'sales_shipments',
  sales_packing: 'sales_packings',
  sales_return: 'sales_returns',
} as const
export type SalesDocumentKind = keyof typeof tables

const Also = v.object({ closed_place_ids: v.array(v.string()) })
const AlsoTaken = v.object({ ...Also.entries, taken: Taken })

export type OpenedLedger = {
  readonly ledger: Ledger
  /** Places that sell nothing. */
  readonly closedPlaceIds: ReadonlySet<string>
}
export type OpenedDocument = OpenedLedger & { readonly id: string; readonly number: string }

export type SalesWishes = Pick<BookWishes, 'positions' | 'batches' | 'freshIds'>

/** A scalar: JSON of the ids of the places that sell nothing. */
export const closedPlaceIds = (tenantId: string): Fragment => sql.fragment`coalesce((
  select json_agg(id::text) from storage_places where tenant_id = ${tenantId}::bigint and not sales_allowed
), '[]')`

function opened(ledger: Ledger, also: v.InferOutput<typeof Also>): OpenedLedger {
  return { ledger, closedPlaceIds: new Set(also.closed_place_ids) }
}

/** For a change that makes no document. One round trip. */
export async function openSalesLedger(context: CommandContext, wishes: SalesWishes): Promise<OpenedLedger> {
  const also = sql.fragment`json_build_object('closed_place_ids', ${closedPlaceIds(context.tenant.id)})`
  const ledger = await openLedger(context, { ...wishes, also })
  return opened(ledger, v.parse(Also, ledger.also))
}

/**
 * For a new document. One round trip, and two more where callers took the next counted numbers.
 * Refuses `validation_failed` for a taken number or external_ref.
 */
export async function openSalesDocument(
  context: CommandContext,
  document: {
    readonly kind: SalesDocumentKind
    readonly number: string | null
    readonly externalRef: string | null
    readonly wishes: (number: string) => SalesWishes
  },
): Promise<OpenedDocument | Refusal> {
  const table = tables[document.kind]
  const tenantId = context.tenant.id
  const { number, loaded } = await loadNumbered(context, {
    kind: document.kind,
    given: document.number,
    load: async wanted => {
      const wishes = document.wishes(wanted)
      const also = sql.fragment`json_build_object(
        'closed_place_ids', ${closedPlaceIds(tenantId)},
        'taken', ${takenLookup({ table, tenantId, number: wanted, externalRef: document.externalRef })}
      )`
      const ledger = await openLedger(context, { ...wishes, freshIds: wishes.freshIds + 1, also })
      return { ledger, also: v.parse(AlsoTaken, ledger.also) }
    },
    isTaken: ({ also }) => also.taken.number_taken_by !== null,
  })
  const { ledger, also } = loaded
  return refuseTaken(also.taken) ?? { ...opened(ledger, also), id: takeFreshId(ledger.book), number }
}
