/** The form that changes a manufacturing order, as far as its status allows it. */
import type { ManufacturingOrder } from '@millrace/client'
import { type Exact, forTyping, isZero, sentTyped } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import {
  addedLine,
  changedFields,
  dayInput,
  type EditedLine,
  EditedLines,
  editedLine,
  lineChanges,
  variantRule,
} from '../../patterns/changes.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.ts'
import { useApi } from '../../session.tsx'
import { PlannedFields, plannedWriters, priorityRule } from './fields.tsx'

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

const writers = {
  ...plannedWriters,
  quantity: sentTyped,
  manufacturing_location_id: (id: string) => id,
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
        priority: priorityRule,
        items: { variant: variantRule, quantity: decimalRules.zeroOrMore },
      }}
      fieldOf={(field, now, before) => changesOf(before, now).fieldOf(field)}
      fields={form => (
        <PlannedFields
          form={form}
          hasDates={isOpen}
          hasOutput={isOpen && isZero(order.released_quantity) && hasBatch}
          first={
            isBeforeStart && (
              <>
                <DecimalInput label="Quantity" withAsterisk {...form.getInputProps('quantity')} />
                <PlaceSelect
                  label="Made at"
                  required
                  of="manufacturing_allowed"
                  {...form.getInputProps('manufacturing_location_id')}
                />
              </>
            )
          }
          lines={
            isBeforeStart && (
              <EditedLines
                form={form}
                blank={blank}
                inputs={index => (
                  <DecimalInput label="Needed" withAsterisk {...form.getInputProps(`items.${index}.quantity`)} />
                )}
              />
            )
          }
        />
      )}
      send={(now, sending, before) =>
        api.manufacturingOrders.update(
          id,
          { ...changedFields(before, now, writers), items: changesOf(before, now).items },
          sending,
        )
      }
      done={() => `${number} is saved`}
    />
  )
}
