/** The supplier's items for the lines of a purchase order. New lines are typed in the supplier's unit if there is one. */
import type { UseFormReturnType } from '@mantine/form'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { isSame, sent } from '../../exact.ts'
import { moneyText } from '../../format.tsx'
import { type Choice, currencyRule } from '../../patterns/inputs.tsx'
import { type Bought, type OrderLine, orderLineChanges } from '../../patterns/order-line.ts'
import { type PurchaseUnit, recounted } from '../../patterns/purchase-units.tsx'
import { useShown } from '../../patterns/shown-in-form.ts'
import type { SupplierItem as Offer } from '../../records.ts'
import { useApi } from '../../session.tsx'

/** The most ids that the API takes at once. Further lines are typed in stock units. */
const VARIANTS_MAX = 100

export type Ordered = {
  readonly supplier: Choice | null
  readonly currency: string
  readonly first_tax: string
  readonly items: OrderLine[]
  /** The supplier's items as they are shown. The lines are sent by them. */
  readonly offers: readonly Offer[]
}

const offerOf = ({ supplier, offers }: Ordered, { id, variant }: OrderLine): Offer | undefined =>
  id === null
    ? offers.find(item => item.supplier_id === supplier?.id && item.item_variant_id === variant?.id)
    : undefined

function unitOf(values: Ordered, line: OrderLine): PurchaseUnit | null {
  const offer = offerOf(values, line)
  if (!offer || (offer.purchase_unit_name === null && isSame(offer.conversion_rate, '1'))) return null
  return { name: offer.purchase_unit_name, rate: offer.conversion_rate }
}

/** How a new line is bought. An existing line keeps its unit. */
export function boughtOf(values: Ordered, line: OrderLine): Bought | null {
  const unit = unitOf(values, line)
  const { price = null, currency = null } = offerOf(values, line) ?? {}
  const orders = values.currency.trim().toUpperCase()
  const isUsual = price !== null && (currency === null ? currencyRule(orders) === null : currency === orders)
  return { unit, typedIn: line.counted === 'STOCK' ? null : unit, usually: isUsual ? moneyText(price, orders) : null }
}

/** `items` of a POST or a PATCH, each in the shown unit. */
export function sentPurchaseLines(before: Ordered | null, now: Ordered) {
  const { items, lines } = orderLineChanges(before, now)
  return items?.map(({ quantity, price, ...entry }, index) => {
    const line = lines[index]
    const unit = line ? (boughtOf(now, line)?.typedIn ?? null) : null
    if (unit === null && line?.unit == null) return { ...entry, quantity, price }
    const bought = { ...entry, purchase_quantity: quantity, purchase_price: price }
    return unit ? { ...bought, conversion_rate: sent(unit.rate), purchase_unit_name: unit.name } : bought
  })
}

/** The lines after a change of supplier: quantities in the old supplier's unit are converted to stock units. */
export const linesInStockUnits = (values: Ordered): OrderLine[] =>
  values.items.map(line => {
    const unit = unitOf(values, line)
    if (unit === null || line.counted !== 'PURCHASE') return line
    return { ...line, counted: 'STOCK', quantity: recounted(line.quantity, unit, 'STOCK'), price: '' }
  })

export function useOffers<Values extends Ordered>(given: UseFormReturnType<Values>): void {
  const api = useApi()
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Ordered>
  const { supplier, items, offers } = form.values
  const supplierId = supplier?.id
  const chosen = items.flatMap(({ id, variant }) => (id !== null || variant === null ? [] : [variant.id]))
  const variantIds = [...new Set(chosen)].toSorted().slice(0, VARIANTS_MAX)
  const { data } = useQuery({
    queryKey: ['supplier-items', 'offers', supplierId, ...variantIds],
    queryFn:
      supplierId === undefined || variantIds.length === 0
        ? skipToken
        : async ({ signal }) => {
            const of = { supplier_id: supplierId, item_variant_id: variantIds, archived: false, limit: VARIANTS_MAX }
            return (await api.supplierItems.list(of, { signal })).data
          },
    placeholderData: keepPreviousData,
  })
  // The items that the person saw count, even if another person changes them meanwhile.
  const fresh = data?.filter(({ id }) => offers.every(one => one.id !== id)) ?? []
  useShown(form, 'offers', fresh.length > 0 ? [...offers, ...fresh] : undefined)
}
