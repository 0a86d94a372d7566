/** The books: the balances of a month, what the accounts tie to, and the last year. */
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Decimal } from '../../exact.ts'
import { dayText, moneyText } from '../../format.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { useFilters } from '../../patterns/filters.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import { Plot } from '../../patterns/plot.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { useSession } from '../../session.tsx'
import { Balances } from './balances.tsx'
import { monthLater, monthText, shortText, thisMonth } from './months.ts'
import { yearQuery } from './reads.ts'
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

/** The cost is that of each month, the other figures are those of its end. */
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
