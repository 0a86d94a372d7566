/** The books: the balances of a month, the figures that accounts must equal, and the last year. */
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Decimal } from '../../exact.ts'
import { dayText, moneyText, words } from '../../format.tsx'
import { type Columns, Cost, column } from '../../patterns/columns.tsx'
import { CsvOfAll } from '../../patterns/csv.tsx'
import { DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { useFilters } from '../../patterns/filters.tsx'
import { ButtonLink, PathLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { Plot } from '../../patterns/plot.tsx'
import { Screen } from '../../patterns/screen.tsx'
import type { AccountBalances } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { daysOf, monthLater, monthText, shortText, thisMonth } from './months.ts'
import { balancesQuery, hasEntries, yearQuery } from './reads.ts'
import { Ties } from './ties.tsx'

const route = getRouteApi('/books')
const MONTHS_MAX = 36

export function Books() {
  const { me } = useSession()
  const { search, filter } = useFilters(route)
  const month = search.month ?? thisMonth()
  const months = Array.from({ length: MONTHS_MAX }, (_, index) => monthLater(thisMonth(), -index))
  return (
    <Screen
      title="Books"
      actions={
        <>
          <Select
            aria-label="Month"
            data={[...new Set([...months, month])].map(value => ({ value, label: monthText(value) }))}
            value={month}
            onChange={value => filter('month').onChange(value ?? undefined)}
            allowDeselect={false}
          />
          <ButtonLink to="/books/entries">Entries</ButtonLink>
        </>
      }
    >
      {me.closed_through !== null && (
        <Text size="sm" c="dimmed">
          Days up to {dayText(me.closed_through)} are closed: their figures are final.
        </Text>
      )}
      <Balances month={month} />
      <Ties />
      <Year />
    </Screen>
  )
}

/** The cost is for each month, the other figures are those at its end. */
const series = ['Cost of goods sold', 'Stock', 'Work in progress']
const lines = series.slice(1)

function Year() {
  const { api, me } = useSession()
  const { data: points = [], error, refetch } = useQuery(yearQuery(api))
  if (error) return <Failure error={error} title="The last year could not be read" onRetry={() => refetch()} />
  return (
    points.length > 0 && (
      <Plot
        title="The last twelve months"
        series={series}
        lines={lines}
        points={points}
        atText={shortText}
        valueText={(value: Decimal) => moneyText(value, me.currency)}
        shape="bars"
      />
    )
  )
}

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

function Balances({ month }: { readonly month: string }) {
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
