/** What is open of a variant: what will be there at a place, day by day, and the orders over all places that need it or bring it. */
import { Group, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Decimal, type ExactApi, isPositive, isZero, minus, negated, sum } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { PlaceFilter } from '../../patterns/filters.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Plot } from '../../patterns/plot.tsx'
import { Section } from '../../patterns/section.tsx'
import { Below } from '../../patterns/small.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { Projection as Answer } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'

type Props = { readonly variantId: string }

/** What a document brings or takes. */
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

const stepColumns: Columns<Step> = [
  column.shown('Day', ({ at }) => (at === null ? 'no date' : dayText(at))),
  column.shown('Document', ({ kind, source, number }) => (
    <DocumentLink kind={kind} id={source}>
      {number}
    </DocumentLink>
  )),
  column.figure('Change', step => <Quantity of={step.quantity} goods={step} withSign />),
  column.quantity('Then there', ({ left }) => left),
]

const SERIES = ['Projected'] as const

export function Projection({ variantId }: Props) {
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
          <DataTable label="What changes it" columns={stepColumns} rows={steps} />
        )}
      </Section>
    </>
  )
}

function wordsOf({ first_short_date: short, first_below_minimum_date: below, minimum_stock }: Answer): string {
  if (short !== null) return `Short from ${dayText(short)} on.`
  if (below === null || minimum_stock === null) return 'Never short.'
  return `Below its minimum of ${quantityText(minimum_stock)} from ${dayText(below)} on.`
}

const READ = 200
const REFRESH_MS = 20_000
/** Of more places the others' orders are a sum. */
const PLACES_MAX = 20

/** `unnamed`: how what is open beside the named orders is called. */
const sides = {
  demand: { title: 'Open demand', whenEmpty: 'No order needs it.', unnamed: 'reserved' },
  supply: { title: 'Open supply', whenEmpty: 'Nothing of it is on its way.', unnamed: 'expected' },
} as const

type SideName = keyof typeof sides
const sideNames = Object.keys(sides) as SideName[]

/** Of a variant at a place: an order stands once for each date. */
type Open = Omit<Step, 'left'> & { readonly side: SideName; readonly place: string | null }
type Opens = { readonly open: readonly Open[]; readonly unnamed: Readonly<Record<SideName, Decimal>> }

async function openOrders(
  api: ExactApi,
  item_variant_id: string,
  options: { readonly signal: AbortSignal },
): Promise<Opens> {
  const levels = await api.availability.list({ item_variant_id, limit: READ }, options).toArray({ max: 5_000 })
  const wanted = levels.filter(row => !(isZero(row.reserved_quantity ?? '0') && isZero(row.expected_quantity ?? '0')))
  const projections = await Promise.all(
    wanted.slice(0, PLACES_MAX).map(async row => {
      const storage_place_id = row.storage_place_id ?? undefined
      const projection = await api.projection({ item_variant_id, storage_place_id }, options)
      // Without a place the interface answers for the main one, where a tenant has one.
      return projection.storage_place_id === row.storage_place_id ? projection : null
    }),
  )
  const open = projections
    .flatMap(projection => (projection === null ? [] : opensOf(projection)))
    .toSorted((one, other) => (one.at ?? '9999').localeCompare(other.at ?? '9999'))
  const unnamed = (side: SideName) =>
    minus(
      sum(wanted.map(row => row[`${sides[side].unnamed}_quantity`] ?? '0')),
      sum(open.filter(one => one.side === side).map(({ quantity }) => quantity)),
    )
  return { open, unnamed: { demand: unnamed('demand'), supply: unnamed('supply') } }
}

const opensOf = ({ item_variant_id, storage_place_id: place, days, undated_supply }: Answer): readonly Open[] =>
  [...days.flatMap(({ sources }) => sources), ...undated_supply].map(
    ({ source_type: kind, source_id: source, number, quantity, due_date: at }) => {
      const side = isPositive(quantity) ? 'supply' : 'demand'
      return {
        ...{ id: `${side} ${kind} ${source} ${place} ${at}`, side, kind, source, number, place, item_variant_id, at },
        quantity: side === 'supply' ? quantity : negated(quantity),
      }
    },
  )

const openColumns: Columns<Open> = [
  column.shown('Order', ({ kind, source, number, place }) => (
    <>
      <DocumentLink kind={kind} id={source}>
        {number}
      </DocumentLink>
      <Below>
        <PlaceTitle id={place} />
      </Below>
    </>
  )),
  column.day('When', ({ at }) => at),
  column.quantity('Quantity', ({ quantity }) => quantity),
]

export function OpenOrders({ variantId }: Props) {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['open-orders', variantId] as readonly unknown[],
    // It reads much: not anew with every event.
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => openOrders(api, variantId, { signal }),
  })
  return sideNames.map(side => (
    <Panel key={side} title={sides[side].title} scope="read:stock" query={query}>
      {opens => <Side opens={opens} side={side} />}
    </Panel>
  ))
}

function Side({ opens, side }: { readonly opens: Opens; readonly side: SideName }) {
  const { title, whenEmpty, unnamed } = sides[side]
  const rows = opens.open.filter(one => one.side === side)
  const left = opens.unnamed[side]
  if (rows.length === 0 && isZero(left)) return <Empty>{whenEmpty}</Empty>
  return (
    <Stack gap={0}>
      {rows.length > 0 && <DataTable label={title} columns={openColumns} rows={rows} />}
      {isPositive(left) && (
        <Text size="sm" c="dimmed" p="sm">
          {rows.length > 0 ? 'Another ' : ''}
          {quantityText(left)} {unnamed} without a place, or at more than {PLACES_MAX} places.
        </Text>
      )}
    </Stack>
  )
}
