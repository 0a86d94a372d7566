/** Makes orders of the chosen proposals in one step: all of them or none. */
import { List, Text } from '@mantine/core'
import { type Entry, type ManufacturingOrder, type PurchaseOrder, writes } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { type Exact, sentTyped, sum } from '../../exact.ts'
import { countText, moneyText, quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import { type Choice, PartnerPicker } from '../../patterns/inputs.tsx'
import type { PurchaseUnit } from '../../patterns/purchase-units.tsx'
import { Quantity } from '../../patterns/units.tsx'
import { useSession } from '../../session.tsx'
import { type Choices, type Chosen, type Row, sentQuantity, useChosen } from './choices.tsx'
import { dateIn, type Proposal } from './proposals.tsx'

/** The most documents of one step. */
const DOCUMENTS_MAX = 100
/** The most lines of one purchase order. */
const LINES_MAX = 500

type Order = PurchaseOrder | ManufacturingOrder

type Props = {
  readonly rows: readonly Row[]
  readonly choices: Choices
  readonly placeId: string | null
  readonly areUnitsRead: boolean
}

/** One purchase order for each supplier, one manufacturing order for each variant that is made. */
export function OrderAll({ rows: all, choices, placeId, areUnitsRead }: Props) {
  const { allOrNone } = useSession()
  const chosen = useChosen(all, choices)
  const rows = chosen.map(({ row }) => row)
  const wrong = chosen.find(({ fault }) => fault !== null)
  const toBuy = rows.filter(({ action }) => action === 'BUY')
  const isUnknown = toBuy.some(({ supplier_id }) => supplier_id === null)
  const bySupplier = Map.groupBy(toBuy, row => row.supplier_id)
  const documents = rows.length - toBuy.length + bySupplier.size
  const isTooMuch = documents > DOCUMENTS_MAX || [...bySupplier.values()].some(lines => lines.length > LINES_MAX)
  return (
    <Step
      label="Order and make"
      title="Order and make what is chosen"
      submitLabel="Order and make"
      size="lg"
      button={{ variant: 'filled' }}
      scope={['write:purchase.order.create', 'write:manufacturing.order.create']}
      closed={
        rows.length === 0
          ? 'Nothing is chosen'
          : wrong
            ? `${wrong.row.title}: ${wrong.fault}`
            : isTooMuch
              ? `At most ${DOCUMENTS_MAX} orders of ${LINES_MAX} lines at once, these are ${documents}: leave some out`
              : !areUnitsRead
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
        allOrNone(entriesOf(chosen, { placeId, supplierId: supplier?.id ?? '', idempotencyKey }), { dryRun })
      }
      done={orders => `${countText(orders.length)} ${orders.length === 1 ? 'order is' : 'orders are'} made`}
      foretells={orders => <WouldBe orders={orders} />}
    />
  )
}

/**
 * The purchase units by the ids of the supplier items; undefined until they are loaded. Empty for a key that may not read them, which then
 * buys in stock units.
 */
export function useSupplierUnits(rows: readonly Proposal[]): ReadonlyMap<string, PurchaseUnit> | undefined {
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
  return isAsked ? data : NO_UNITS
}

const NO_UNITS: ReadonlyMap<string, PurchaseUnit> = new Map()

type Ordering = { readonly placeId: string | null; readonly supplierId: string; readonly idempotencyKey: string }

function entriesOf(
  chosen: readonly Chosen[],
  { placeId, supplierId, idempotencyKey }: Ordering,
): readonly Entry<Order>[] {
  const bySupplier = Map.groupBy(
    chosen.filter(({ row }) => row.action === 'BUY'),
    ({ row }) => row.supplier_id ?? supplierId,
  )
  const purchases = [...bySupplier].map(([supplier_id, lines]) => {
    const items = lines.map(({ row, quantity }) => ({
      ...{ item_variant_id: row.item_variant_id, expected_date: dateIn(row.lead_time_days) },
      ...sentQuantity(row, quantity),
    }))
    const order = { supplier_id, storage_place_id: placeId ?? undefined, items }
    return writes.purchaseOrders.create(order, { idempotencyKey: `${idempotencyKey}-buy-${supplier_id}` })
  })
  const productions = chosen
    .filter(({ row }) => row.action === 'MAKE')
    .map(({ row: { item_variant_id, lead_time_days }, quantity }) => {
      const planned = { quantity: sentTyped(quantity), production_date: dateIn(lead_time_days) }
      const order = { item_variant_id, ...planned, manufacturing_location_id: placeId ?? undefined }
      return writes.manufacturingOrders.create(order, { idempotencyKey: `${idempotencyKey}-make-${item_variant_id}` })
    })
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
