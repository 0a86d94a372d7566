/** What to order and make so that nothing is short; what is chosen becomes orders in one step, all or none. */

import { Box, Checkbox, Group, List, Text } from '@mantine/core'
import { type Entry, type ManufacturingOrder, type PurchaseOrder, writes } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Exact, quotient, sent, sum } from '../../exact.ts'
import { countText, moneyText, quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { PlaceFilter, useFilters, VariantFilter } from '../../patterns/filters.tsx'
import { useGoods } from '../../patterns/goods.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { type Choice, PartnerPicker } from '../../patterns/inputs.tsx'
import { LiesWhere } from '../../patterns/lies-where.tsx'
import { ButtonLink, What } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import type { PurchaseUnit } from '../../patterns/purchase-units.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Section } from '../../patterns/section.tsx'
import { SupplierLink, useSupplierTitles } from '../../patterns/suppliers.tsx'
import { Quantity } from '../../patterns/units.tsx'
import { useSession } from '../../session.tsx'
import { dateIn, type Proposal } from './proposals.tsx'

const route = getRouteApi('/planner/replenishment')

type Row = Proposal & {
  readonly currency: string
  readonly supplier: ReactNode
  /** What of it lies there and cannot be taken, and what lies elsewhere. */
  readonly more: ReactNode
  readonly isChosen: boolean
  readonly choose: (isChosen: boolean) => void
}

const INDENT_PX = 16
const INDENTS_MAX = 6
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
      {row.more}
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
  const goods = useGoods(data?.rows.map(row => row.item_variant_id) ?? [])
  const rows = data?.rows.map(row => ({
    ...row,
    more: goods && <LiesWhere goods={goods} of={row} missing={row.net_quantity} at={data.storage_place_id} />,
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
    <Screen
      title="What to order and make"
      actions={
        <>
          <ButtonLink to="/planner">What is short</ButtonLink>
          {data && chosen.length > 0 && <OrderAll rows={chosen} placeId={data.storage_place_id} />}
        </>
      }
    >
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
    </Screen>
  )
}

type Order = PurchaseOrder | ManufacturingOrder

/** One purchase order for each supplier, one manufacturing order for each variant that is made. */
function OrderAll({ rows, placeId }: { readonly rows: readonly Proposal[]; readonly placeId: string | null }) {
  const { allOrNone } = useSession()
  const toBuy = rows.filter(({ action }) => action === 'BUY')
  const isUnknown = toBuy.some(({ supplier_id }) => supplier_id === null)
  const bySupplier = Map.groupBy(toBuy, row => row.supplier_id)
  const documents = rows.length - toBuy.length + bySupplier.size
  const isTooMuch = documents > DOCUMENTS_MAX || [...bySupplier.values()].some(lines => lines.length > LINES_MAX)
  const units = useUnits(toBuy)
  return (
    <Step
      label="Order and make"
      title="Order and make what is chosen"
      submitLabel="Order and make"
      size="lg"
      button={{ variant: 'filled' }}
      scope={['write:purchase.order.create', 'write:manufacturing.order.create']}
      closed={
        isTooMuch
          ? `At most ${DOCUMENTS_MAX} orders of ${LINES_MAX} lines at once, these are ${documents}: leave some out`
          : units === undefined
            ? 'The units of the suppliers are not read yet'
            : undefined
      }
      explains={`${countText(rows.length)} ${rows.length === 1 ? 'row becomes' : 'rows become'} ${countText(documents)} ${documents === 1 ? 'order' : 'orders'}, all of them or none: one for each supplier, in its units, and one for each product that is made.`}
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
        allOrNone(
          entriesOf(rows, { placeId, supplierId: supplier?.id ?? '', idempotencyKey, units: units ?? new Map() }),
          { dryRun },
        )
      }
      done={orders => `${countText(orders.length)} ${orders.length === 1 ? 'order is' : 'orders are'} made`}
      foretells={orders => <WouldBe orders={orders} />}
    />
  )
}

type Units = ReadonlyMap<string, PurchaseUnit>

/** By the ids of the suppliers' items; undefined until they are read. None for a key that may not read them: it buys in stock units. */
function useUnits(rows: readonly Proposal[]): Units | undefined {
  const { api, can } = useSession()
  const ids = rows.flatMap(({ supplier_item_id }) => supplier_item_id ?? []).toSorted()
  const isAsked = can('read:purchase') && ids.length > 0
  const { data } = useQuery({
    queryKey: ['supplier-items', 'units', ...ids],
    queryFn: async ({ signal }) => {
      const items = await rowsOf(ids, id => api.supplierItems.list({ id, limit: id.length }, { signal }))
      return new Map(items.map(item => [item.id, { name: item.purchase_unit_name, rate: item.conversion_rate }]))
    },
    enabled: isAsked,
  })
  return isAsked ? data : new Map()
}

/** In the supplier's unit where it is exactly so many of it. */
function quantityOf({ order_quantity, supplier_item_id }: Proposal, units: Units) {
  const unit = supplier_item_id === null ? undefined : units.get(supplier_item_id)
  const many = unit && quotient(order_quantity, unit.rate)
  return unit && many
    ? { purchase_quantity: sent(many), conversion_rate: sent(unit.rate), purchase_unit_name: unit.name }
    : { quantity: sent(order_quantity) }
}

type Ordering = {
  readonly placeId: string | null
  readonly supplierId: string
  readonly idempotencyKey: string
  readonly units: Units
}

function entriesOf(
  rows: readonly Proposal[],
  { placeId, supplierId, idempotencyKey, units }: Ordering,
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
          ...quantityOf(row, units),
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

function WouldBe({ orders }: { readonly orders: readonly Exact<Order>[] }) {
  const costs = orders.flatMap(order => ('total_amount' in order ? [order.total_amount] : []))
  return (
    <>
      <List size="sm">
        {orders.map(order => (
          <List.Item key={order.id}>
            {'total_amount' in order ? (
              `${order.number} to ${order.supplier.title}: ${countText(order.items.length)} ${order.items.length === 1 ? 'line' : 'lines'}, ${moneyText(order.total_amount, order.currency)}`
            ) : (
              <>
                {order.number}: <Quantity of={order.quantity} goods={order} /> × {order.item_variant.title} are to be
                made
              </>
            )}
          </List.Item>
        ))}
      </List>
      {costs.length > 1 && <Text size="sm">Net of all purchases: {quantityText(sum(costs))}</Text>}
    </>
  )
}
