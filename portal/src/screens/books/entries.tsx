/** The entries of the books, line by line, with their documents. */
import { Text } from '@mantine/core'
import { today } from '../../days.ts'
import { isZero } from '../../exact.ts'
import { askedOf } from '../../filters.ts'
import { dayText, words } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { type Columns, column } from '../../patterns/columns.tsx'
import { FilterInputs, here, useFilters } from '../../patterns/filters.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { Below } from '../../patterns/small.tsx'
import type { JournalEntry } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { EntryDocument } from './entry-document.tsx'
import { entryFilters } from './filters.ts'

type Row = JournalEntry['lines'][number] & { readonly id: string; readonly entry: JournalEntry }

const columns: Columns<Row> = [
  {
    ...column.day<Row>('Day', ({ entry }) => entry.day, 'sm'),
    beside: { header: 'Booked', says: ({ entry }) => entry.created_at },
  },
  {
    ...column.shown<Row>('Document', row => <Document of={row} />, {
      says: ({ entry }) => entry.source_number ?? entry.source_id,
    }),
    beside: { header: 'Kind', says: ({ entry }) => entry.source_type },
  },
  {
    ...column.shown<Row>('Account', ({ account }) => words(account), {
      visibleFrom: 'sm',
      says: ({ account }) => account,
    }),
    beside: { header: 'Code', says: ({ account_code }) => account_code },
  },
  column.cost('Debit', ({ debit }) => (isZero(debit) ? null : debit), { says: ({ debit }) => debit }),
  column.cost('Credit', ({ credit }) => (isZero(credit) ? null : credit), { says: ({ credit }) => credit }),
  column.sku('SKU', ({ sku }) => sku, 'md'),
  column.place('Place', ({ storage_place_id }) => storage_place_id, 'lg'),
  column.shown('Category', ({ category }) => category, 'lg'),
]

/** On a phone this cell also has the content of the columns that are hidden there. */
const Document = ({ of: { entry, account } }: { readonly of: Row }) => (
  <>
    <EntryDocument of={entry} />
    <Below>{entry.reason && words(entry.reason)}</Below>
    <Text span size="xs" c="dimmed" display="block" hiddenFrom="sm">
      {words(account)}, {dayText(entry.day)}
    </Text>
  </>
)

export function Entries() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(here)
  const query = listQuery(['journal-entries'], askedOf(entryFilters, search), async (asked, options) => {
    const { data, next_cursor } = await api.journalEntries.list(asked, options)
    return { data: data.flatMap(rowsOf), next_cursor }
  })
  const now = today()
  return (
    <ListPage
      title="Entries of the books"
      query={query}
      columns={columns}
      leads={false}
      onClear={onClear}
      filters={<FilterInputs of={entryFilters} filter={filter} />}
      whenEmpty="Nothing is booked yet. What changes the value of the stock is booked by itself."
      actions={
        <>
          <ButtonLink to="/books/entries" search={{ day_from: now, day_to: now }}>
            Today
          </ButtonLink>
          <ButtonLink to="/books">Books</ButtonLink>
        </>
      }
    />
  )
}

const rowsOf = (entry: JournalEntry): Row[] =>
  entry.lines.map((line, index) => ({ ...line, id: `${entry.id} ${index}`, entry }))
