/** The open demand and supply of a variant, over all places, from its projections. */
import { Stack, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { type Decimal, type ExactApi, isPositive, isZero, minus, negated, sum } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { useSession } from '../../session.tsx'

const READ = 200
const REFRESH_MS = 20_000
/** Of more places the others' orders are a sum. */
const PLACES_MAX = 20

type Open = {
  readonly side: 'demand' | 'supply'
  readonly kind: string
  readonly id: string
  readonly number: string
  readonly place: string | null
  readonly item_variant_id: string
  readonly quantity: Decimal
  readonly at: string | null
}

type Answer = { readonly open: readonly Open[]; readonly unnamed: Readonly<Record<Open['side'], Decimal>> }

async function openOrders(
  api: ExactApi,
  item_variant_id: string,
  options: { readonly signal: AbortSignal },
): Promise<Answer> {
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
  const open = projections.flatMap(projection =>
    projection === null
      ? []
      : [...projection.days.flatMap(({ sources }) => sources), ...projection.undated_supply].map((one): Open => {
          const side = isPositive(one.quantity) ? 'supply' : 'demand'
          return {
            ...{ side, kind: one.source_type, id: one.source_id, number: one.number },
            ...{ place: projection.storage_place_id, item_variant_id },
            quantity: side === 'supply' ? one.quantity : negated(one.quantity),
            at: one.due_date,
          }
        }),
  )
  const unnamed = (side: Open['side'], name: 'reserved_quantity' | 'expected_quantity') =>
    minus(
      sum(wanted.map(row => row[name] ?? '0')),
      sum(open.filter(one => one.side === side).map(({ quantity }) => quantity)),
    )
  return {
    open: open.toSorted((one, other) => (one.at ?? '9999').localeCompare(other.at ?? '9999')),
    unnamed: { demand: unnamed('demand', 'reserved_quantity'), supply: unnamed('supply', 'expected_quantity') },
  }
}

/** An order stands once for each place and date. */
const keyOf = ({ side, kind, id, place, at }: Open): string => `${side} ${kind} ${id} ${place} ${at}`

const columns: Columns<Open> = [
  column.shown('Order', ({ kind, id, number, place }) => (
    <>
      <DocumentLink kind={kind} id={id}>
        {number}
      </DocumentLink>
      <Text span size="xs" c="dimmed" display="block">
        <PlaceTitle id={place} />
      </Text>
    </>
  )),
  column.day('When', ({ at }) => at),
  column.quantity('Quantity', ({ quantity }) => quantity),
]

export function OpenOrders({ variantId }: { readonly variantId: string }) {
  const { api } = useSession()
  const query = queryOptions({
    queryKey: ['open-orders', variantId] as readonly unknown[],
    // It reads much: not anew with every event.
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => openOrders(api, variantId, { signal }),
  })
  return (
    <>
      <Panel title="Open demand" scope="read:stock" query={query}>
        {answer => <Side answer={answer} side="demand" whenEmpty="No order needs it." unnamed="reserved" />}
      </Panel>
      <Panel title="Open supply" scope="read:stock" query={query}>
        {answer => <Side answer={answer} side="supply" whenEmpty="Nothing of it is on its way." unnamed="expected" />}
      </Panel>
    </>
  )
}

type SideProps = {
  readonly answer: Answer
  readonly side: Open['side']
  readonly whenEmpty: string
  readonly unnamed: string
}

function Side({ answer, side, whenEmpty, unnamed }: SideProps) {
  const rows = answer.open.filter(one => one.side === side)
  const left = answer.unnamed[side]
  if (rows.length === 0 && isZero(left)) return <Empty>{whenEmpty}</Empty>
  return (
    <Stack gap={0}>
      {rows.length > 0 && (
        <DataTable
          label={side === 'demand' ? 'Open demand' : 'Open supply'}
          columns={columns}
          rows={rows}
          rowId={keyOf}
        />
      )}
      {isPositive(left) && (
        <Text size="sm" c="dimmed" p="sm">
          {rows.length > 0 ? 'Another ' : ''}
          {quantityText(left)} {unnamed} without a place, or at more than {PLACES_MAX} places.
        </Text>
      )}
    </Stack>
  )
}
