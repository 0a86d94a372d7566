/** The balances of a month by account, as a table and a file. */
import { Text } from '@mantine/core'
import { words } from '../../format.tsx'
import { type Columns, Cost, column } from '../../patterns/columns.tsx'
import { CsvOfAll } from '../../patterns/csv.tsx'
import { DataTable } from '../../patterns/data-table.tsx'
import { PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import type { AccountBalances } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { daysOf, monthText } from './months.ts'
import { balancesQuery, hasEntries } from './reads.ts'

type Row = AccountBalances['rows'][number] & Pick<AccountBalances, 'from' | 'through'>

const columns: Columns<Row> = [
  column.shown('Account', row => <EntriesLink of={row} />, { says: ({ account }) => account }),
  column.shown('Code', ({ account_code }) => account_code, 'md'),
  column.cost('Before', ({ opening }) => opening, 'md'),
  column.cost('Debit', ({ debit }) => debit, 'sm'),
  column.cost('Credit', ({ credit }) => credit, 'sm'),
  column.cost('Balance', ({ closing }) => closing),
  column.cost('To book', ({ net_rounded }) => net_rounded, 'sm'),
]

const EntriesLink = ({ of: { account, from, through } }: { readonly of: Row }) => (
  <PathLink to="/books/entries" search={{ account, day_from: from ?? '', day_to: through ?? '' }} className="row-link">
    {words(account)}
  </PathLink>
)

const rowsOf = ({ rows, from, through }: AccountBalances): Row[] => rows.map(row => ({ ...row, from, through }))

export function Balances({ month }: { readonly month: string }) {
  const title = `Balances of ${monthText(month)}`
  return (
    <Panel
      title={title}
      scope="read:accounting"
      query={balancesQuery(useApi(), daysOf(month))}
      isEmpty={found => !hasEntries(found)}
      whenEmpty="Nothing was booked up to the end of this month. What changes the value of the stock is booked by itself."
      aside={found => (
        <CsvOfAll
          title={title}
          columns={columns}
          pages={async function* () {
            yield rowsOf(found)
          }}
        />
      )}
    >
      {found => (
        <>
          <DataTable label={title} columns={columns} rows={rowsOf(found)} rowId={({ account }) => account} leads />
          <Text size="xs" c="dimmed" px="sm" py="xs">
            This month debited <Cost of={found.totals.debit} /> and credited <Cost of={found.totals.credit} />. Above 0
            is debit, below 0 credit. To book: what the rounded balance changed by.
          </Text>
        </>
      )}
    </Panel>
  )
}
