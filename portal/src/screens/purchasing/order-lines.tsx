/** The lines of a purchase order that is to be made: typed in the supplier's unit where the supplier has one, else in stock units. */
import { Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { SupplierItem } from '@millrace/client'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Exact, isSame, sent, times, typed } from '../../exact.ts'
import { moneyText, quantityText } from '../../format.tsx'
import { type Choice, currencyRule } from '../../patterns/inputs.tsx'
import { type OrderLine, OrderLineFields, sentOrderLine } from '../../patterns/order-lines.tsx'
import { type PurchaseUnit, recounted, UnitSelect, unitTitle } from '../../patterns/purchase-units.tsx'
import { useApi } from '../../session.tsx'

/** The interface takes so many ids at once; further lines are typed in stock units. */
const VARIANTS_MAX = 100

export type Ordered = {
  readonly supplier: Choice | null
  readonly currency: string
  readonly items: OrderLine[]
  /** What suppliers sell of the lines, as it is shown: the lines are sent by it. */
  readonly offers: readonly Exact<SupplierItem>[]
}

const offerOf = ({ supplier, offers }: Ordered, { variant }: OrderLine): Exact<SupplierItem> | undefined =>
  offers.find(item => item.supplier_id === supplier?.id && item.item_variant_id === variant?.id)

function unitOf(values: Ordered, line: OrderLine): PurchaseUnit | null {
  const offer = offerOf(values, line)
  if (!offer || (offer.purchase_unit_name === null && isSame(offer.conversion_rate, '1'))) return null
  return { name: offer.purchase_unit_name, rate: offer.conversion_rate }
}

/** The unit in which the line is typed; null: stock units. */
const unitTyped = (values: Ordered, line: OrderLine): PurchaseUnit | null =>
  line.counted === 'STOCK' ? null : unitOf(values, line)

/** Lines that passed the rules, each with the unit that was shown. */
export const sentPurchaseLines = (values: Ordered) =>
  values.items.map(line => {
    const unit = unitTyped(values, line)
    const { item_variant_id, quantity, price } = sentOrderLine(line)
    if (unit === null) return { item_variant_id, quantity, price }
    return {
      item_variant_id,
      purchase_quantity: quantity,
      purchase_price: price,
      conversion_rate: sent(unit.rate),
      purchase_unit_name: unit.name,
    }
  })

/** Where a field of a sent line stands in the form. */
export const fieldOfSentLine = (field: string): string =>
  field.replace(/\.item_variant_id$/, '.variant').replace(/\.purchase_(quantity|price)$/, '.$1')

/** Lines for another supplier: what was typed in the unit of the one before stays as much, in stock units. */
export const linesInStockUnits = (values: Ordered): OrderLine[] =>
  values.items.map(line => {
    const unit = unitOf(values, line)
    if (unit === null || line.counted !== 'PURCHASE') return line
    return { ...line, counted: 'STOCK', quantity: recounted(line.quantity, unit, 'STOCK'), price: '' }
  })

export function PurchaseLines<Values extends Ordered>({ form: given }: { readonly form: UseFormReturnType<Values> }) {
  const api = useApi()
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Ordered>
  const { values, setFieldValue } = form
  const supplierId = values.supplier?.id
  const chosen = values.items.flatMap(({ variant }) => (variant === null ? [] : [variant.id]))
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
  useEffect(() => {
    // What the person saw counts, also when somebody changes it meanwhile.
    if (data) setFieldValue('offers', seen => [...seen, ...data.filter(({ id }) => seen.every(one => one.id !== id))])
  }, [data, setFieldValue])
  const at = (index: number) => {
    const line = values.items[index]
    return line && { line, unit: unitOf(values, line), typedIn: unitTyped(values, line) }
  }
  return (
    <OrderLineFields
      form={form}
      of="is_purchasable"
      usualPrice="usual price"
      onQuantity={index => setFieldValue(`items.${index}.counted`, at(index)?.typedIn ? 'PURCHASE' : 'STOCK')}
      unit={index => {
        const { line, unit, typedIn } = at(index) ?? {}
        if (!line || !unit) return null
        return (
          <UnitSelect
            w={140}
            unit={unit}
            stockUnit={line.variant?.unit}
            value={typedIn ? 'PURCHASE' : 'STOCK'}
            onChange={counted => {
              if (line.counted !== null)
                setFieldValue(`items.${index}.quantity`, recounted(line.quantity, unit, counted))
              setFieldValue(`items.${index}.price`, '')
              setFieldValue(`items.${index}.counted`, counted)
            }}
          />
        )
      }}
      says={index => {
        const { line, typedIn } = at(index) ?? {}
        const quantity = line && typed(line.quantity)
        if (!quantity || !typedIn) return null
        const { price = null, currency = null } = offerOf(values, line) ?? {}
        const orders = values.currency.trim().toUpperCase()
        const isUsual = price !== null && (currency === null ? currencyRule(orders) === null : currency === orders)
        return (
          <Text size="xs" c="dimmed" role="status">
            {quantityText(times(quantity, typedIn.rate))} {line.variant?.unit ?? 'stock units'}
            {isUsual && `, usually ${moneyText(price, orders)} for one ${unitTitle(typedIn)}`}
          </Text>
        )
      }}
    />
  )
}
