/** The form that changes a manufacturing order, as far as its status allows it. */

import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { ManufacturingOrder } from '@millrace/client'
import { type Decimal, type Exact, forTyping, isZero, sent, sentTyped } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import {
  addedLine,
  changedFields,
  dayInput,
  type EditedLine,
  EditedLines,
  editedLine,
  lineChanges,
  orNull,
  variantRule,
} from '../../patterns/changes.tsx'
import { DatesInOrder } from '../../patterns/date-order.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.ts'
import { useApi } from '../../session.tsx'

type Order = Exact<ManufacturingOrder>
type Line = EditedLine & { readonly quantity: string }

const blank = (): Line => ({ ...addedLine(), quantity: '' })

const valuesOf = (order: Order) => ({
  quantity: forTyping(order.quantity),
  manufacturing_location_id: order.manufacturing_location_id,
  priority: order.priority as string,
  planned_start_date: dayInput(order.planned_start_date),
  production_date: dayInput(order.production_date),
  shipping_date: dayInput(order.shipping_date),
  output_batch_number: order.output_batch_number ?? '',
  output_manufacture_date: dayInput(order.output_manufacture_date),
  output_expiry_date: dayInput(order.output_expiry_date),
  external_ref: order.external_ref ?? '',
  notes: order.notes ?? '',
  items: order.items.map((item): Line => ({ ...editedLine(item), quantity: forTyping(item.quantity) })),
})

type Values = ReturnType<typeof valuesOf>

const fields = {
  quantity: sentTyped,
  manufacturing_location_id: (id: string) => id,
  priority: (input: string) => sent(input.trim() as Decimal),
  planned_start_date: orNull,
  production_date: orNull,
  shipping_date: orNull,
  output_batch_number: orNull,
  output_manufacture_date: orNull,
  output_expiry_date: orNull,
  external_ref: orNull,
  notes: orNull,
}

const changesOf = (before: Values, now: Values) =>
  lineChanges({ before: before.items, now: now.items, blank: blank() }, { quantity: sentTyped })

export function EditManufacturingOrder({ order }: { readonly order: Order }) {
  const api = useApi()
  const { id, number, item_variant } = order
  const isOpen = order.status !== 'DONE'
  const isBeforeStart = isOpen && order.started_at === null
  const hasBatch = useMayHaveBatch([item_variant.item_id])(item_variant.item_id)
  return (
    <Step
      record={order}
      reread={() => api.manufacturingOrders.get(id)}
      label="Edit"
      title={`Edit ${number}`}
      submitLabel="Save"
      size="lg"
      scope="write:manufacturing.order.update"
      explains={
        isBeforeStart
          ? 'With another quantity the materials of the recipe follow, unless you change them here. What is reserved follows, too.'
          : isOpen
            ? 'The order has started: its quantity, place and needs stay.'
            : 'The order is done: only its notes and its reference can change.'
      }
      initial={() => valuesOf(order)}
      validate={{
        quantity: decimalRules.positive,
        priority: value => (/^-?\d{1,10}$/.test(value.trim()) ? null : 'a whole number'),
        items: { variant: variantRule, quantity: decimalRules.zeroOrMore },
      }}
      fieldOf={(field, now, before) => changesOf(before, now).fieldOf(field)}
      fields={form => (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {isBeforeStart && (
              <>
                <DecimalInput label="Quantity" withAsterisk {...form.getInputProps('quantity')} />
                <PlaceSelect
                  label="Made at"
                  required
                  of="manufacturing_allowed"
                  {...form.getInputProps('manufacturing_location_id')}
                />
              </>
            )}
            {isOpen && (
              <>
                <TextInput type="date" label="Starts" {...form.getInputProps('planned_start_date')} />
                <TextInput type="date" label="Due" {...form.getInputProps('production_date')} />
                <TextInput type="date" label="To be shipped" {...form.getInputProps('shipping_date')} />
                <TextInput label="Priority" inputMode="numeric" {...form.getInputProps('priority')} />
              </>
            )}
            {isOpen && isZero(order.released_quantity) && hasBatch && (
              <>
                <TextInput label="Output batch" maxLength={64} {...form.getInputProps('output_batch_number')} />
                <TextInput type="date" label="Output made" {...form.getInputProps('output_manufacture_date')} />
                <TextInput type="date" label="Output expires" {...form.getInputProps('output_expiry_date')} />
              </>
            )}
          </SimpleGrid>
          <DatesInOrder
            of={[
              ['Starts', form.values.planned_start_date],
              ['Due', form.values.production_date],
              ['To be shipped', form.values.shipping_date],
            ]}
          />
          <DatesInOrder
            of={[
              ['Output made', form.values.output_manufacture_date],
              ['Output expires', form.values.output_expiry_date],
            ]}
          />
          {isBeforeStart && (
            <EditedLines
              form={form}
              blank={blank}
              inputs={index => (
                <DecimalInput label="Needed" withAsterisk {...form.getInputProps(`items.${index}.quantity`)} />
              )}
            />
          )}
          <TextInput label="Reference" maxLength={255} {...form.getInputProps('external_ref')} />
          <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={(now, sending, before) =>
        api.manufacturingOrders.update(
          id,
          { ...changedFields(before, now, fields), items: changesOf(before, now).items },
          sending,
        )
      }
      done={() => `${number} is saved`}
    />
  )
}
