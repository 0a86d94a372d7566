/** The endpoints of the books. The files with queries have their SQL. */
import { defineList } from '../../../kit/api/endpoint.ts'
import { type Others, resource } from '../../../kit/documents/resources.ts'
import { booksTag } from '../../accounting/tag.ts'
import { getAccountBalances } from './balances.ts'
import { demo } from './demo.ts'
import { journalEntry } from './journal-document.ts'
import { listJournal } from './journal-queries.ts'
import { journalFilters } from './journal-schemas.ts'

export const books = ({ booked }: Others) => {
  const sources = { ...booked.sources, PRODUCT: 'a product whose category changed' }
  const JournalEntry = journalEntry(sources)
  const list = defineList({
    id: 'listJournalEntries',
    path: '/journal-entries',
    tag: booksTag,
    scope: 'read:accounting',
    summary: 'List the entries of the books',
    description:
      'One entry for each document and command that moved value, ascending by id, in posting order. Its debits equal its credits. What a ' +
      'movement of stock is worth counts for INVENTORY, the other side follows from its document: GOODS_RECEIVED_NOT_INVOICED of a receipt, ' +
      'STOCK_ADJUSTMENT of an adjustment, WORK_IN_PROGRESS of materials and output, COST_OF_GOODS_SOLD of a shipment or return, ' +
      'LANDED_COST_CLEARING of a landed cost. A reversal swaps the sides of its document; where the stock moved another value than then, ' +
      'VALUATION_DIFFERENCE has the rest. `day_from` and `day_to` are inclusive; `created_after` is inclusive, `created_before` exclusive.',
    filters: journalFilters(sources),
    refusals: [],
    reply: JournalEntry.reply,
    tagged: true,
    page: ({ pool, tenantId }, page) => listJournal(pool, JournalEntry.json, { tenantId, ...page }),
  })
  return resource([], [list, getAccountBalances], { demo })
}
