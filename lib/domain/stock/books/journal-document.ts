/** The document of an entry of the journal. */
import type { Choices } from '../../../kit/api/fields.ts'
import { arrayOf, view } from '../../../kit/documents/view.ts'
import { choice, cost, currency, day, instant, key, reference, text } from '../../../kit/fields/kinds.ts'
import { accounts } from '../../accounting/accounts.ts'
import { Variant } from '../../catalogue/variant.ts'
import { StoragePlace } from '../../places/noun.ts'
import { accountOrder, linesOfEntry } from './lines.ts'

/** The code of the line `l`, from the codes `c` of the tenant. */
const accountCode = `coalesce(
  (select each->>'code' from jsonb_array_elements(c.categories) each where each->>'category' = l.category and each->>'account' = l.account limit 1),
  c.accounts->l.account->>'code')`

/** The fields come from an entry `e` with its document `source`, its tenant `t` and its codes `c`. */
export const journalEntry = (sources: Choices) =>
  view('JournalEntry', {
    id: key().from('e.id'),
    day: day().words('the day of the books on which it counts').from('e.day'),
    document_date: instant().words('the date of the document, or of its reversal').from('e.document_date'),
    created_at: instant().from('e.created_at'),
    source_type: choice(sources).from('e.source_type'),
    source_id: key().from('e.source_id'),
    source_number: text().words('the number of the document').orNull().from('source.number'),
    reason: text().words('of a stock adjustment').orNull().from('source.reason'),
    currency: currency().from('t.currency'),
    lines: arrayOf(
      {
        account: choice(accounts).from('l.account'),
        account_code: text()
          .words("the accountant's, that of the category where there is one")
          .orNull()
          .from(accountCode),
        debit: cost().words('0 where it credits').from('greatest(l.amount, 0)'),
        credit: cost().words('0 where it debits').from('greatest(-l.amount, 0)'),
        storage_place_id: reference(StoragePlace).orNull().from('l.storage_place_id'),
        item_variant_id: reference(Variant).words('null for VALUATION_DIFFERENCE').orNull().from('l.item_variant_id'),
        sku: text().words('as it was').orNull().from('l.sku'),
        category: text().words('of the product, as it was').orNull().from('l.category'),
      },
      {
        from: `${linesOfEntry} l`,
        order: `${accountOrder('l.account')}, l.storage_place_id nulls first, l.item_variant_id nulls first, l.category nulls first`,
        words: 'one line for each account, place and variant, both sides netted; debits equal credits',
      },
    ),
  })
