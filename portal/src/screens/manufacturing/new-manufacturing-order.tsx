/** The form that makes a manufacturing order. */

import { SimpleGrid, TextInput } from '@mantine/core'
import { sentTyped } from '../../exact.ts'
import { DatesInOrder } from '../../patterns/date-order.tsx'
import { type Choice, DecimalInput, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { NewOrder } from '../../patterns/order-lines.tsx'
import { PlaceSelect, usePlaces, usualPlace } from '../../patterns/places.tsx'
import { useApi } from '../../session.tsx'

type Values = {
  item_variant_id: Choice | null
  quantity: string
  manufacturing_location_id: string | null
  planned_start_date: string
  production_date: string
  notes: string
}

/** @param begin what the form begins with; the person changes it. */
export function NewManufacturingOrder({ begin }: { readonly begin?: Partial<Values> }) {
  const api = useApi()
  const places = usePlaces()
  return (
    <NewOrder
      label="New manufacturing order"
      path="/manufacturing-orders"
      scope="write:manufacturing.order.create"
      explains="Its materials and operations are those of the newest recipe; the materials are reserved."
      initial={(): Values => ({
        item_variant_id: null,
        quantity: '1',
        manufacturing_location_id: usualPlace(places, 'manufacturing_allowed'),
        planned_start_date: '',
        production_date: '',
        notes: '',
        ...begin,
      })}
      validate={{
        item_variant_id: value => (value === null ? 'choose what is made' : null),
        quantity: decimalRules.positive,
      }}
      fields={form => (
        <>
          <VariantPicker label="Product" required of="is_producible" {...form.getInputProps('item_variant_id')} />
          <SimpleGrid cols={2}>
            <DecimalInput label="Quantity" withAsterisk {...form.getInputProps('quantity')} />
            <PlaceSelect
              label="Made at"
              of="manufacturing_allowed"
              {...form.getInputProps('manufacturing_location_id')}
            />
            <TextInput type="date" label="Starts" {...form.getInputProps('planned_start_date')} />
            <TextInput type="date" label="Due" {...form.getInputProps('production_date')} />
          </SimpleGrid>
          <DatesInOrder
            of={[
              ['Starts', form.values.planned_start_date],
              ['Due', form.values.production_date],
            ]}
          />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(values, sending) =>
        api.manufacturingOrders.create(
          {
            item_variant_id: values.item_variant_id?.id ?? '',
            quantity: sentTyped(values.quantity),
            manufacturing_location_id: values.manufacturing_location_id ?? undefined,
            planned_start_date: values.planned_start_date || null,
            production_date: values.production_date || null,
            notes: values.notes.trim() || null,
          },
          sending,
        )
      }
    />
  )
}
