/** The form that changes a manufacturing order, as far as its status allows. */
import { forTyping, isZero, sentTyped } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import {
  addedLine,
  changedFields,
  type EditedLine,
  EditedLines,
  editedLine,
  lineChanges,
  variantRule,
} from '../../patterns/changes.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { changesOf, rulesOf, valuesOf } from '../../patterns/record-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { PlannedFields, plannedFields } from './fields.tsx'
import { manufacturingOrders } from './nouns.ts'

type Line = EditedLine & { readonly quantity: string }

const blank = (): Line => ({ ...addedLine(), quantity: '' })

const typedOf = (order: Order) => ({
  quantity: forTyping(order.quantity),
  manufacturing_location_id: order.manufacturing_location_id,
  ...valuesOf(plannedFields, order),
  items: order.items.map((item): Line => ({ ...editedLine(item), quantity: forTyping(item.quantity) })),
})

type Values = ReturnType<typeof typedOf>

const writers = { quantity: sentTyped, manufacturing_location_id: (id: string) => id }

const changedLines = (before: Values, now: Values) =>
  lineChanges({ before: before.items, now: now.items, blank: blank() }, { quantity: sentTyped })

export function EditManufacturingOrder({ order }: { readonly order: Order }) {
  const api = useApi()
  const { item_id } = order.item_variant
  const step = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.update')
  const isOpen = order.status !== 'DONE'
  const isBeforeStart = isOpen && order.started_at === null
  const hasBatch = useMayHaveBatch([item_id])(item_id)
  return (
    <Step
      {...step('Edit', 'saved')}
      submitLabel="Save"
      size="lg"
      explains={
        isBeforeStart
          ? 'With another quantity the materials of the recipe follow, unless you change them here. What is reserved follows, too.'
          : isOpen
            ? 'The order has started: its quantity, place and needs stay.'
            : 'The order is done: only its notes and its reference can change.'
      }
      initial={() => typedOf(order)}
      validate={{
        ...rulesOf(plannedFields),
        quantity: decimalRules.positive,
        items: { variant: variantRule, quantity: decimalRules.zeroOrMore },
      }}
      fieldOf={(field, now, before) => changedLines(before, now).fieldOf(field)}
      fields={form => (
        <PlannedFields
          form={form}
          hasGoods={isBeforeStart}
          needsPlace
          hasDates={isOpen}
          hasOutput={isOpen && isZero(order.released_quantity) && hasBatch}
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
      send={(now, sending, before) => {
        const changes = { ...changesOf(plannedFields, before, now), ...changedFields(before, now, writers) }
        const { items } = changedLines(before, now)
        return api.manufacturingOrders.update(order.id, { ...changes, items }, sending)
      }}
    />
  )
}
