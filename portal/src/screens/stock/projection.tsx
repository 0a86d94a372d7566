/** What will be there of a variant at a place, day by day, and which documents cause each step. */
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Decimal } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { PlaceFilter } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Plot } from '../../patterns/plot.tsx'
import { Section } from '../../patterns/section.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { Projection as Answer } from '../../records.ts'
import { useSession } from '../../session.tsx'

type Step = {
  readonly id: string
  readonly item_variant_id: string
  readonly at: string | null
  readonly kind: string
  readonly source: string
  readonly number: string
  readonly quantity: Decimal
  /** At the end of its day; null where no day counts it. */
  readonly left: Decimal | null
}

const stepsOf = ({ item_variant_id, days, undated_supply }: Answer): readonly Step[] =>
  [
    ...days.flatMap(({ date, projected_quantity: left, sources }) => sources.map(one => ({ one, at: date, left }))),
    ...undated_supply.map(one => ({ one, at: null, left: null })),
  ].map(({ one: { source_type: kind, source_id: source, number, quantity, due_date }, at, left }) => ({
    ...{ id: `${kind} ${source} ${due_date} ${quantity}`, item_variant_id, at, kind, source, number, quantity, left },
  }))

const columns: Columns<Step> = [
  column.shown('Day', ({ at }) => (at === null ? 'no date' : dayText(at))),
  column.shown('Document', ({ kind, source, number }) => (
    <DocumentLink kind={kind} id={source}>
      {number}
    </DocumentLink>
  )),
  column.figure('Change', step => <Quantity of={step.quantity} goods={step} withSign />),
  column.quantity('Then there', ({ left }) => left),
]

export function Projection({ variantId }: { readonly variantId: string }) {
  const { api, can } = useSession()
  const [place, setPlace] = useState<string | undefined>()
  const { data, error, refetch } = useQuery({
    queryKey: ['projection', variantId, place],
    enabled: can('read:stock'),
    queryFn: ({ signal }) => api.projection({ item_variant_id: variantId, storage_place_id: place }, { signal }),
  })
  const points = useMemo(
    () => data?.days.map(({ date: at, projected_quantity }) => ({ at, values: [projected_quantity] })) ?? [],
    [data],
  )
  if (error) return <Failure error={error} title="What will be there could not be read" onRetry={() => refetch()} />
  if (!data) return null
  const steps = stepsOf(data)
  return (
    <>
      {points.length > 1 && (
        <Plot title="What will be there" series={SERIES} points={points} atText={dayText} shape="steps" />
      )}
      <Section title="What changes it">
        <Group px="sm" pb="sm" align="flex-end" justify="space-between">
          <PlaceFilter placeholder="The main place" value={place} onChange={setPlace} />
          <Text size="sm">{wordsOf(data)}</Text>
        </Group>
        {steps.length === 0 ? (
          <Empty>No open order needs it, and nothing of it is on its way.</Empty>
        ) : (
          <DataTable label="What changes it" columns={columns} rows={steps} />
        )}
      </Section>
    </>
  )
}

const SERIES = ['Projected'] as const

const wordsOf = ({ first_short_date: short, first_below_minimum_date: below, minimum_stock }: Answer): string =>
  short !== null
    ? `Short from ${dayText(short)} on.`
    : below !== null && minimum_stock !== null
      ? `Below its minimum of ${quantityText(minimum_stock)} from ${dayText(below)} on.`
      : 'Never short.'
