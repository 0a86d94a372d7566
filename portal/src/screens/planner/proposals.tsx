/** The planner's proposals for short rows: read by place, and made into an order from a row. */

import { useQuery } from '@tanstack/react-query'
import { dayOf, today } from '../../days.ts'
import { type Decimal, forTyping, isPositive } from '../../exact.ts'
import { inGroups } from '../../patterns/groups.ts'
import { orderLine } from '../../patterns/order-line.ts'
import { placeValue } from '../../patterns/places.tsx'
import { useSupplierTitles } from '../../patterns/suppliers.tsx'
import { useUnits, withUnit } from '../../patterns/units.tsx'
import type { Replenishment, SalesOrder } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { NewManufacturingOrder } from '../manufacturing/new-manufacturing-order.tsx'
import { NewPurchaseOrder } from '../purchasing/new-purchase-order.tsx'

export type Proposal = Replenishment['rows'][number]

type At = { readonly item_variant_id: string; readonly storage_place_id: string | null }

/** The most places that are queried. */
const PLACES_MAX = 10

export const keyOf = ({ item_variant_id, storage_place_id }: At): string => `${item_variant_id} ${storage_place_id}`

/** The day this many days from now; null if the number is unknown. */
export const dateIn = (days: Decimal | null): string | null => (days === null ? null : today(Number(days)))

/** The proposals by variant and place, for the first places. */
export function useProposals(rows: readonly At[]): ReadonlyMap<string, Proposal> {
  const api = useApi()
  const byPlace = [...Map.groupBy(rows, row => row.storage_place_id)].slice(0, PLACES_MAX)
  const asked = byPlace.flatMap(([place, at]) =>
    inGroups(at.map(row => row.item_variant_id)).map(variants => ({ place, variants })),
  )
  const { data } = useQuery({
    queryKey: ['replenishment', 'of', asked],
    queryFn: async ({ signal }) => {
      const read = async ({ place, variants }: (typeof asked)[number]) => {
        const query = { storage_place_id: place ?? undefined, item_variant_id: variants }
        const { storage_place_id, rows: found } = await api.replenishment(query, { signal })
        // Without a place the API answers for the main one, if the tenant has one.
        return storage_place_id === place ? found.map(row => [keyOf({ ...row, storage_place_id }), row] as const) : []
      }
      return new Map((await Promise.all(asked.map(read))).flat())
    },
    enabled: asked.length > 0,
  })
  return data ?? new Map()
}

type Props = { readonly of: Proposal; readonly at: string | null }

/** Makes the proposed order, which the person may change first. */
export function Propose({ of, at }: Props) {
  const { item_variant_id: id, title: label, action, order_quantity, lead_time_days } = of
  const titles = useSupplierTitles([of.supplier_id])
  const unit = useUnits([id])(id)
  const look = { button: { size: 'compact-sm', variant: 'default' }, explains: wordsOf(of, unit) } as const
  if (action === 'MAKE')
    return (
      <NewManufacturingOrder
        {...look}
        label={`Make ${withUnit(order_quantity, unit)}`}
        begin={{
          item_variant_id: { id, label },
          quantity: forTyping(order_quantity),
          production_date: dateIn(lead_time_days) ?? '',
          ...(at === null ? {} : { manufacturing_location_id: at }),
        }}
      />
    )
  return (
    <NewPurchaseOrder
      {...look}
      label={`Buy ${withUnit(order_quantity, unit)}`}
      begin={{
        supplier: of.supplier_id === null ? null : { id: of.supplier_id, label: titles.get(of.supplier_id) ?? '' },
        storage_place_id: placeValue(at),
        expected_date: dateIn(lead_time_days) ?? '',
      }}
      lines={() => [orderLine({ id, label }, forTyping(order_quantity), { counted: 'STOCK' })]}
    />
  )
}

type ToOrderProps = Props & {
  readonly sale: Pick<SalesOrder, 'id' | 'number' | 'delivery_date'>
  /** The quantity that the sales order lacks. */
  readonly quantity: Decimal
}

/** Makes the missing quantity for this sales order. Nothing for a variant that is not made. */
export function MakeToOrder({ of, at, sale, quantity }: ToOrderProps) {
  const { item_variant_id: id, title: label, action, lead_time_days } = of
  const unit = useUnits([id])(id)
  if (action !== 'MAKE') return null
  return (
    <NewManufacturingOrder
      button={{ size: 'compact-sm', variant: 'default' }}
      label={`Make ${withUnit(quantity, unit)} to order`}
      explains={`It is made for ${sale.number}.`}
      saleId={sale.id}
      begin={{
        item_variant_id: { id, label },
        quantity: forTyping(quantity),
        production_date: dateIn(lead_time_days) ?? '',
        shipping_date: dayOf(sale.delivery_date),
        ...(at === null ? {} : { manufacturing_location_id: at }),
      }}
    />
  )
}

const wordsOf = ({ net_quantity, dependent_quantity }: Proposal, unit: string | null): string =>
  `${withUnit(net_quantity, unit)} are missing${
    isPositive(dependent_quantity) ? `, with ${withUnit(dependent_quantity, unit)} for what else is to be made` : ''
  }. The minimum quantity and the multiples of the supplier or the product are kept.`
