/** What to order and make so that nothing is short; what is chosen becomes orders in one step, all or none. */
import { Box, Checkbox, Group, List, Stack, Text, Title } from '@mantine/core'
import {
  type Replenishment as Answer,
  type Entry,
  type ManufacturingOrder,
  type PurchaseOrder,
  writes,
} from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Decimal, type Exact, sent, sum } from '../../exact.ts'
import { countText, moneyText, quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { PlaceFilter, useFilters, VariantFilter } from '../../patterns/filters.tsx'
import { type Choice, PartnerPicker } from '../../patterns/inputs.tsx'
import { ButtonLink, What } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Section } from '../../patterns/section.tsx'
import { SupplierLink, useSupplierTitles } from '../../patterns/suppliers.tsx'
import { useSession } from '../../session.tsx'

const route = getRouteApi('/planner/replenishment')

type Proposal = Exact<Answer>['rows'][number]
type Row = Proposal & {
  readonly currency: string
  readonly supplier: ReactNode
  readonly isChosen: boolean
  readonly choose: (isChosen: boolean) => void
}

const INDENT_PX = 16
const INDENTS_MAX = 6
const DAY_MS = 86_400_000
/** Documents of one step. */
const DOCUMENTS_MAX = 100
/** Lines of one purchase order. */
const LINES_MAX = 500

const columns: Columns<Row> = [
  column.shown('Order it', ({ title, isChosen, choose }) => (
    <Checkbox
      aria-label={`Order ${title}`}
      checked={isChosen}
      onChange={event => choose(event.currentTarget.checked)}
    />
  )),
  column.shown('What', row => (
    <Box pl={{ base: 0, sm: Math.min(Number(row.level), INDENTS_MAX) * INDENT_PX }}>
      <What {...row} />
    </Box>
  )),
  column.shown('How', ({ action }) => (action === 'MAKE' ? 'Make' : 'Buy')),
  column.shown('Supplier', ({ supplier }) => supplier, 'sm'),
  column.quantity('Projected', ({ projected_quantity }) => projected_quantity, 'sm'),
  column.quantity('For other rows', ({ dependent_quantity }) => dependent_quantity, 'md'),
  column.quantity('Missing', ({ net_quantity }) => net_quantity, 'sm'),
  column.quantity('Order', ({ order_quantity }) => order_quantity),
  column.figure('Days', ({ lead_time_days }) => lead_time_days ?? '–', 'md'),
  column.figure('Costs', ({ cost, currency }) => (cost === null ? '–' : moneyText(cost, currency)), 'sm'),
]

export function Replenishment() {
  const { api, me } = useSession()
  const { search, filter } = useFilters(route)
  const { storage_place_id, item_variant_id } = search
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['replenishment', storage_place_id, item_variant_id],
    queryFn: ({ signal }) =>
      api.replenishment(
        { storage_place_id, item_variant_id: item_variant_id === undefined ? undefined : [item_variant_id] },
        { signal },
      ),
  })
  const suppliers = useSupplierTitles(data?.rows.map(({ supplier_id }) => supplier_id) ?? [])
  const rows = data?.rows.map(row => ({
    ...row,
    supplier: <SupplierLink id={row.supplier_id} titles={suppliers} />,
    currency: me.currency,
    isChosen: !left.has(row.item_variant_id),
    choose: (isChosen: boolean) => {
      const others = new Set(left)
      if (isChosen) others.delete(row.item_variant_id)
      else others.add(row.item_variant_id)
      setLeft(others)
    },
  }))
  const chosen = rows?.filter(({ isChosen }) => isChosen) ?? []
  return (
    <Stack gap="md">
      <title>What to order and make · Millrace</title>
      <Group justify="space-between">
        <Title order={1}>What to order and make</Title>
        <Group gap="xs">
          <ButtonLink to="/planner">What is short</ButtonLink>
          {data && chosen.length > 0 && <OrderAll rows={chosen} placeId={data.storage_place_id} />}
        </Group>
      </Group>
      <Group gap="sm" align="flex-end" className="filters">
        <PlaceFilter placeholder="The main place" {...filter('storage_place_id')} />
        <VariantFilter label="Begin with" {...filter('item_variant_id')} />
      </Group>
      {error && <Failure error={error} title="This could not be answered" onRetry={() => refetch()} />}
      {!error && (
        <Section title="Proposals">
          {rows === undefined ? (
            <Empty>{isFetching ? 'Asking …' : ''}</Empty>
          ) : rows.length === 0 ? (
            <Empty>Nothing is short: what is there and on its way covers all demand and each minimum.</Empty>
          ) : (
            <DataTable label="Proposals" columns={columns} rows={rows} rowId={row => row.item_variant_id} />
          )}
        </Section>
      )}
    </Stack>
  )
}

type Order = PurchaseOrder | ManufacturingOrder

/** One purchase order for each supplier, one manufacturing order for each variant that is made. */
function OrderAll({ rows, placeId }: { readonly rows: readonly Proposal[]; readonly placeId: string | null }) {
  const { allOrNone } = useSession()
  const toBuy = rows.filter(({ action }) => action === 'BUY')
  const isUnknown = toBuy.some(({ supplier_id }) => supplier_id === null)
  const isTooMuch = rows.length > DOCUMENTS_MAX || toBuy.length > LINES_MAX
  return (
    <Step
      label="Order and make"
      title="Order and make what is chosen"
      submitLabel="Order and make"
      size="lg"
      button={{ variant: 'filled' }}
      scope={['write:purchase.order.create', 'write:manufacturing.order.create']}
      closed={isTooMuch ? `At most ${DOCUMENTS_MAX} rows at once: leave some out` : undefined}
      explains={`${countText(rows.length)} ${rows.length === 1 ? 'row becomes an order' : 'rows become orders'}, all of them or none.`}
      initial={() => ({ supplier: null as Choice | null })}
      validate={{ supplier: value => (isUnknown && value === null ? 'choose a supplier' : null) }}
      fields={form =>
        isUnknown && (
          <PartnerPicker
            of="suppliers"
            label="Supplier of what has no preferred one"
            required
            {...form.getInputProps('supplier')}
          />
        )
      }
      send={({ supplier }, { idempotencyKey, dryRun }) =>
        allOrNone(entriesOf(rows, { placeId, supplierId: supplier?.id ?? '', idempotencyKey }), { dryRun })
      }
      done={orders => `${countText(orders.length)} ${orders.length === 1 ? 'order is' : 'orders are'} made`}
      foretells={orders => <WouldBe orders={orders} />}
    />
  )
}

type Ordering = { readonly placeId: string | null; readonly supplierId: string; readonly idempotencyKey: string }

function entriesOf(
  rows: readonly Proposal[],
  { placeId, supplierId, idempotencyKey }: Ordering,
): readonly Entry<Order>[] {
  const bySupplier = Map.groupBy(
    rows.filter(({ action }) => action === 'BUY'),
    row => row.supplier_id ?? supplierId,
  )
  const purchases = [...bySupplier].map(([supplier_id, lines]) =>
    writes.purchaseOrders.create(
      {
        supplier_id,
        ...(placeId === null ? {} : { storage_place_id: placeId }),
        items: lines.map(row => ({
          item_variant_id: row.item_variant_id,
          quantity: sent(row.order_quantity),
          expected_date: dateIn(row.lead_time_days),
        })),
      },
      { idempotencyKey: `${idempotencyKey}-buy-${supplier_id}` },
    ),
  )
  const productions = rows
    .filter(({ action }) => action === 'MAKE')
    .map(row =>
      writes.manufacturingOrders.create(
        {
          item_variant_id: row.item_variant_id,
          quantity: sent(row.order_quantity),
          production_date: dateIn(row.lead_time_days),
          ...(placeId === null ? {} : { manufacturing_location_id: placeId }),
        },
        { idempotencyKey: `${idempotencyKey}-make-${row.item_variant_id}` },
      ),
    )
  return [...purchases, ...productions]
}

/** The day so many days from now; null where nobody knows. */
const dateIn = (days: Decimal | null): string | null =>
  days === null ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 10)

function WouldBe({ orders }: { readonly orders: readonly Exact<Order>[] }) {
  const costs = orders.flatMap(order => ('total_amount' in order ? [order.total_amount] : []))
  return (
    <>
      <List size="sm">
        {orders.map(order => (
          <List.Item key={order.id}>
            {'total_amount' in order
              ? `${order.number} to ${order.supplier.title}: ${countText(order.items.length)} ${order.items.length === 1 ? 'line' : 'lines'}, ${moneyText(order.total_amount, order.currency)}`
              : `${order.number}: ${quantityText(order.quantity)} × ${order.item_variant.title} are to be made`}
          </List.Item>
        ))}
      </List>
      {costs.length > 1 && <Text size="sm">Net of all purchases: {quantityText(sum(costs))}</Text>}
    </>
  )
}
