/**
 * The open demand and supply of a variant. The interface names the orders behind a variant where it is short; elsewhere it tells
 * sums, and lists of open orders are looked through as far as one page reaches. What stays unnamed is said.
 */
import { Stack, Text } from '@mantine/core'
import type { Availability } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import { type Decimal, type Exact, type ExactApi, isPositive, isZero, minus, sum } from '../../exact.ts'
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

type Open = {
  readonly side: 'demand' | 'supply'
  readonly kind: string
  readonly id: string
  readonly number: string
  readonly place: string | null
  readonly quantity: Decimal
  readonly at: string | null
}

type Answer = { readonly open: readonly Open[]; readonly unnamed: Readonly<Record<Open['side'], Decimal>> }

async function openOrders(
  api: ExactApi,
  can: (scope: string) => boolean,
  item_variant_id: string,
  options: { readonly signal: AbortSignal },
): Promise<Answer> {
  const [levels, short] = await Promise.all([
    api.availability.list({ item_variant_id, limit: READ }, options).toArray({ max: 5_000 }),
    api.shortages.list({ item_variant_id, below: 'minimum', limit: READ }, options).toArray({ max: 5_000 }),
  ])
  const named = new Set(short.map(row => row.storage_place_id))
  const open: Open[] = short.flatMap(({ storage_place_id: place, demand, supply }) => [
    ...demand.map(one => ({ ...orderOf(one), side: 'demand' as const, place, at: one.needed_by })),
    ...supply.map(one => ({ ...orderOf(one), side: 'supply' as const, place, at: one.expected_by })),
  ])
  const rest = levels.filter(
    row => !named.has(row.storage_place_id) && !(isZero(row.reserved_quantity) && isZero(row.expected_quantity)),
  )
  if (rest.length > 0) {
    const looked = await lookThrough(api, can, item_variant_id, rest, options)
    open.push(...looked.filter(({ place }) => !named.has(place)))
  }
  const unnamed = (side: Open['side'], name: 'reserved_quantity' | 'expected_quantity') =>
    minus(
      sum(rest.map(row => row[name])),
      sum(open.filter(one => one.side === side && !named.has(one.place)).map(({ quantity }) => quantity)),
    )
  return {
    open: open.toSorted((one, other) => (one.at ?? '9999').localeCompare(other.at ?? '9999')),
    unnamed: { demand: unnamed('demand', 'reserved_quantity'), supply: unnamed('supply', 'expected_quantity') },
  }
}

type Source = {
  readonly source_type: string
  readonly source_id: string
  readonly number: string
  readonly quantity: Decimal
}

const orderOf = ({ source_type: kind, source_id: id, number, quantity }: Source) => ({ kind, id, number, quantity })

/** The newest open orders of each kind that the key may read. */
async function lookThrough(
  api: ExactApi,
  can: (scope: string) => boolean,
  variant: string,
  rest: readonly Exact<Availability>[],
  options: { readonly signal: AbortSignal },
): Promise<readonly Open[]> {
  const page = { order: 'desc', limit: READ } as const
  const isReserved = rest.some(row => !isZero(row.reserved_quantity))
  const isExpected = rest.some(row => !isZero(row.expected_quantity))
  const [sales, materials, making, purchases] = await Promise.all([
    isReserved && can('read:sales') ? api.salesOrders.list({ ...page, status: 'OPEN' }, options) : null,
    isReserved && can('read:manufacturing')
      ? api.manufacturingOrders.list({ ...page, status: ['NOT_STARTED', 'BLOCKED'] }, options)
      : null,
    isExpected && can('read:manufacturing')
      ? api.manufacturingOrders.list(
          {
            ...page,
            item_variant_id: variant,
            status: ['NOT_STARTED', 'IN_PROGRESS', 'PARTIALLY_DONE', 'BLOCKED'],
          },
          options,
        )
      : null,
    isExpected && can('read:purchase') ? api.purchaseOrders.list({ ...page, status: 'OPEN' }, options) : null,
  ])
  const isIts = (line: { readonly item_variant_id: string }) => line.item_variant_id === variant
  const found: readonly Open[] = [
    ...(sales?.data ?? []).flatMap(({ id, number, delivery_date: at, items }) =>
      items.filter(isIts).map(line => ({
        ...{ side: 'demand' as const, kind: 'SALES_ORDER', id, number, at },
        place: line.storage_place_id,
        quantity: minus(line.quantity, line.shipped_quantity),
      })),
    ),
    ...(materials?.data ?? [])
      // What was started has taken its materials.
      .filter(({ started_at }) => started_at === null)
      .flatMap(({ id, number, planned_start_date: at, manufacturing_location_id: place, items }) =>
        items.filter(isIts).map(({ quantity }) => ({
          side: 'demand' as const,
          kind: 'MANUFACTURING_ORDER',
          id,
          number,
          at,
          place,
          quantity,
        })),
      ),
    ...(making?.data ?? []).map(
      ({ id, number, production_date: at, manufacturing_location_id: place, quantity, released_quantity }) => ({
        ...{ side: 'supply' as const, kind: 'MANUFACTURING_ORDER', id, number, at, place },
        quantity: minus(quantity, released_quantity),
      }),
    ),
    ...(purchases?.data ?? []).flatMap(({ id, number, expected_date, storage_place_id: place, items }) =>
      items.filter(isIts).map(line => ({
        ...{ side: 'supply' as const, kind: 'PURCHASE_ORDER', id, number, place },
        at: line.expected_date ?? expected_date,
        quantity: minus(line.quantity, line.received_quantity),
      })),
    ),
  ]
  const merged = new Map<string, Open>()
  for (const one of found.filter(({ quantity }) => isPositive(quantity))) {
    const [key, before] = [keyOf(one), merged.get(keyOf(one))]
    const dates = [before?.at, one.at].filter(at => at != null)
    const at = dates.toSorted()[0] ?? null
    merged.set(key, { ...one, at, quantity: sum([before?.quantity ?? '0', one.quantity]) })
  }
  return [...merged.values()]
}

/** An order stands once for each place, whatever lines it has. */
const keyOf = ({ side, kind, id, place }: Open): string => `${side} ${kind} ${id} ${place}`

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
  const { api, can } = useSession()
  const query = queryOptions({
    queryKey: ['open-orders', variantId] as readonly unknown[],
    // It reads much: not anew with every event.
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => openOrders(api, can, variantId, { signal }),
  })
  return (
    <>
      <Panel title="Open demand" scope="read:stock" query={query}>
        {answer => <Side answer={answer} side="demand" whenEmpty="No order needs it." unnamed="reserved by orders" />}
      </Panel>
      <Panel title="Open supply" scope="read:stock" query={query}>
        {answer => (
          <Side answer={answer} side="supply" whenEmpty="Nothing of it is on its way." unnamed="expected from orders" />
        )}
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
  const { can } = useSession()
  const rows = answer.open.filter(one => one.side === side)
  const left = answer.unnamed[side]
  const lacking = (
    side === 'demand' ? ['read:sales', 'read:manufacturing'] : ['read:purchase', 'read:manufacturing']
  ).filter(scope => !can(scope))
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
          {quantityText(left)} {unnamed} that are not named here:{' '}
          {lacking.length > 0
            ? `the key lacks ${lacking.join(' and ')}.`
            : `only the newest ${READ} open orders of each kind were looked through. Where a variant is short, all are named.`}
        </Text>
      )}
    </Stack>
  )
}
