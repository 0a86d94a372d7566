/** The form that makes a manufacturing order. */
import { SimpleGrid, TextInput } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { sent, typed } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { type Choice, DecimalInput, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { PlaceSelect, usualPlace } from '../../patterns/place-select.tsx'
import { usePlaces } from '../../patterns/places.ts'
import { useSession } from '../../session.tsx'

type Values = {
  item_variant_id: Choice | null
  quantity: string
  manufacturing_location_id: string | null
  planned_start_date: string
  production_date: string
  notes: string
}

export function NewManufacturingOrder() {
  const { api, can } = useSession()
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <Step
      label="New manufacturing order"
      submitLabel="Create"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      closed={
        can('write:manufacturing.order.create') ? undefined : 'The key lacks the scope write:manufacturing.order.create'
      }
      explains="Its materials and operations are those of the newest recipe; the materials are reserved."
      initial={(): Values => ({
        item_variant_id: null,
        quantity: '1',
        manufacturing_location_id: usualPlace(places, 'manufacturing_allowed'),
        planned_start_date: '',
        production_date: '',
        notes: '',
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
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(values, sending) => {
        const quantity = typed(values.quantity)
        return api.manufacturingOrders.create(
          {
            item_variant_id: values.item_variant_id?.id ?? '',
            quantity: quantity === null ? 0 : sent(quantity),
            ...(values.manufacturing_location_id === null
              ? {}
              : { manufacturing_location_id: values.manufacturing_location_id }),
            planned_start_date: values.planned_start_date || null,
            production_date: values.production_date || null,
            notes: values.notes.trim() || null,
          },
          sending,
        )
      }}
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: '/manufacturing-orders/$id', params: { id } })}
    />
  )
}
