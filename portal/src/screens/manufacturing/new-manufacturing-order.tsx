/** The form for a new manufacturing order. */
import type { ButtonProps } from '@mantine/core'
import { sentTyped } from '../../exact.ts'
import { type Choice, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { NewOrder } from '../../patterns/new-order.tsx'
import { usePlaces, usualPlace } from '../../patterns/places.tsx'
import { changesOf, rulesOf, valuesOf } from '../../patterns/record-fields.tsx'
import { useApi } from '../../session.tsx'
import { type Planned, PlannedFields, plannedFields } from './fields.tsx'

type Values = Planned & { item_variant_id: Choice | null }

type Props = {
  /** The first values of the form, which the person may change. */
  readonly begin?: Partial<Values>
  /** The sales order that needs the output. */
  readonly saleId?: string
  readonly label?: string
  readonly explains?: string
  readonly button?: Pick<ButtonProps, 'size' | 'variant'>
}

export function NewManufacturingOrder({ label = 'New manufacturing order', explains = '', ...props }: Props) {
  const { begin, saleId, button } = props
  const api = useApi()
  const places = usePlaces()
  return (
    <NewOrder
      label={label}
      title="New manufacturing order"
      {...(button ? { button } : {})}
      path="/manufacturing-orders"
      scope="write:manufacturing.order.create"
      explains={`${explains} Its materials and operations are those of the newest recipe; the materials are reserved.`}
      initial={(): Values => ({
        ...valuesOf(plannedFields),
        item_variant_id: null,
        quantity: '1',
        manufacturing_location_id: usualPlace(places, 'manufacturing_allowed'),
        ...begin,
      })}
      validate={{
        ...rulesOf(plannedFields),
        item_variant_id: value => (value === null ? 'choose what is made' : null),
        quantity: decimalRules.positive,
      }}
      fields={form => (
        <>
          <VariantPicker label="Product" required of="is_producible" {...form.getInputProps('item_variant_id')} />
          <PlannedFields form={form} hasGoods hasDates hasOutput={form.values.item_variant_id?.batched !== false} />
        </>
      )}
      send={(values, sending) =>
        api.manufacturingOrders.create(
          {
            item_variant_id: values.item_variant_id?.id ?? '',
            quantity: sentTyped(values.quantity),
            manufacturing_location_id: values.manufacturing_location_id ?? undefined,
            ...(saleId === undefined ? {} : { sales_order_id: saleId }),
            ...changesOf(plannedFields, valuesOf(plannedFields), values),
          },
          sending,
        )
      }
    />
  )
}
