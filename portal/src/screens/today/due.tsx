/** How many orders are to be shipped and to be made, by the day on which they are due. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { dayOf, today } from '../../days.ts'
import type { Decimal } from '../../exact.ts'
import { Plot } from '../../patterns/plot.tsx'
import type { ManufacturingOrder, SalesOrder } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { openSales, toMake } from './reads.ts'
import { weekdayText } from './weekday.ts'

const DAYS = 7
const LATE = 'late'
const series = ['To ship', 'To make']
const atText = (at: string) => (at === LATE ? 'Late' : weekdayText(at))

export function Due() {
  const { api, can } = useSession()
  const { data: sales } = useQuery({ ...openSales(api), enabled: can('read:sales') })
  const { data: making } = useQuery({ ...toMake(api), enabled: can('read:manufacturing') })
  const { points, later } = useMemo(() => countsOf(sales?.data ?? [], making?.data ?? []), [sales, making])
  if (!can('read:sales') && !can('read:manufacturing')) return null
  const isMore = [sales, making].some(page => page && page.next_cursor !== '')
  return (
    <Plot
      title="To ship and to make"
      series={series}
      points={points}
      atText={atText}
      shape="bars"
      isBeside
      note={
        <Text size="sm" c="dimmed" px="sm" pb="sm">
          Open orders by the day on which they are due; {later} are due later or have no day.
          {isMore && ' The first hundred of each are counted.'}
        </Text>
      }
    />
  )
}

function countsOf(sales: readonly SalesOrder[], making: readonly ManufacturingOrder[]) {
  const due = [sales.map(order => dayOf(order.delivery_date)), making.map(order => dayOf(order.production_date))]
  const count = (of: (day: string) => boolean) =>
    due.map(days => String(days.filter(day => day !== '' && of(day)).length) as Decimal)
  const points = [
    { at: LATE, values: count(day => day < today()) },
    ...Array.from({ length: DAYS }, (_, index) => ({ at: today(index), values: count(day => day === today(index)) })),
  ]
  return { points, later: due.flat().filter(day => day === '' || day >= today(DAYS)).length }
}
