/** The steps of a manufacturing order, as far as its status allows them. */
import { Checkbox, Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { dayOf, today } from '../../days.ts'
import {
  type Decimal,
  forTyping,
  isPositive,
  isSame,
  minus,
  sent,
  sentTyped,
  sentUnlessEmpty,
  typed,
} from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { ReasonStep, Step } from '../../patterns/action-form.tsx'
import { Cost } from '../../patterns/columns.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { QuantityFields, type QuantityLine } from '../../patterns/quantity-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { type TakenLine, Taking } from '../../patterns/taking.tsx'
import { useMayHaveBatch } from '../../patterns/tracked.ts'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { EditManufacturingOrder } from './edit.tsx'
import { MoveMaterials } from './move-materials.tsx'
import { manufacturingOrders } from './nouns.ts'
import type { Movement, Task } from './reads.ts'

type Props = { readonly order: Order; readonly tasks: readonly Task[] }

export function ManufacturingOrderSteps({
  order,
  tasks,
  movements,
}: Props & { readonly movements: readonly Movement[] }) {
  const api = useApi()
  const navigate = useNavigate()
  const { id, status } = order
  const step = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.update')
  const isStarted = status === 'IN_PROGRESS' || status === 'PARTIALLY_DONE'
  return (
    <>
      {status === 'NOT_STARTED' && (
        <Step
          {...step('Start', 'started')}
          size="lg"
          button={{ variant: 'filled' }}
          scope="write:manufacturing.order.start"
          explains="The materials leave the stock now, of batches those that expire first. All of them must be there."
          initial={() => ({ items: order.items.map(materialLine) })}
          validate={{ items: { quantity: decimalRules.zeroOrMore } }}
          fields={form =>
            form.values.items.length > 0 && (
              <>
                <QuantityFields form={form} leftIs="Needed" />
                <Taking documentId={id} lines={writtenOff(order, form.values.items)} />
              </>
            )
          }
          send={({ items }, sending) => api.manufacturingOrders.start(id, { items: changedLines(items) }, sending)}
          foretells={({ items, actual_cost: { total_cost } }) => (
            <Foretold
              begins={items.length > 0 ? 'These materials leave the stock:' : 'No materials leave the stock.'}
              lines={items.map(item => ({ ...item, quantity: item.actual_quantity, batch_id: null }))}
            >
              The order is in progress then, and has cost <Cost of={total_cost} /> so far.
            </Foretold>
          )}
        />
      )}
      {isStarted && <Complete order={order} tasks={tasks} />}
      {isStarted && <MoveMaterials order={order} movements={movements} />}
      {status === 'BLOCKED' && (
        <Step
          {...step('Unblock', 'unblocked')}
          button={{ variant: 'filled' }}
          explains="Work on it may go on where it was."
          send={(_, sending) => api.manufacturingOrders.unblock(id, {}, sending)}
        />
      )}
      <EditManufacturingOrder order={order} />
      {(isStarted || status === 'NOT_STARTED') && (
        <ReasonStep
          {...step('Block', 'blocked')}
          explains="It can be neither started nor completed until it is unblocked. No stock moves."
          send={(reason, sending) => api.manufacturingOrders.block(id, { reason }, sending)}
        />
      )}
      {status === 'NOT_STARTED' && (
        <Step
          {...step('Delete', 'deleted')}
          explains="The order is gone, and what it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          send={(_, sending) => api.manufacturingOrders.delete(id, sending)}
          onDone={() => navigate({ to: manufacturingOrders.list })}
        />
      )}
    </>
  )
}

type TaskLine = { readonly id: string; readonly title: string; readonly planned: Decimal; readonly hours: string }

type Completed = {
  quantity: string
  is_final: boolean
  output_batch_number: string
  output_manufacture_date: string
  output_expiry_date: string
  storage_place_id: string | null
  quarantine: boolean
  tasks: TaskLine[]
}

function Complete({ order, tasks }: Props) {
  const api = useApi()
  const { id, number } = order
  const step = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.complete')
  const left = minus(order.quantity, order.released_quantity)
  return (
    <Step
      {...step('Complete', 'done')}
      size="lg"
      button={{ variant: 'filled' }}
      explains={`${quantityText(left)} of ${quantityText(order.quantity)} are still to be made. Less than that leaves the order open.`}
      initial={(): Completed => ({
        quantity: isPositive(left) ? forTyping(left) : '0',
        is_final: false,
        output_batch_number: order.output_batch_number ?? '',
        output_manufacture_date: dayOf(order.output_manufacture_date),
        output_expiry_date: dayOf(order.output_expiry_date),
        storage_place_id: order.manufacturing_location_id,
        quarantine: false,
        tasks: tasks.map(task => ({
          id: task.id,
          title: task.operation_title,
          planned: task.planned_duration,
          hours: task.actual_duration === null ? '' : forTyping(task.actual_duration),
        })),
      })}
      validate={{
        quantity: decimalRules.zeroOrMore,
        tasks: { hours: input => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)) },
      }}
      fields={form => <CompleteFields form={form} order={order} />}
      send={(values, sending) =>
        api.manufacturingOrders.complete(
          id,
          {
            quantity: sentTyped(values.quantity),
            is_final: values.is_final,
            output_batch_number: values.output_batch_number.trim() || undefined,
            output_manufacture_date: values.output_manufacture_date || undefined,
            output_expiry_date: values.output_expiry_date || undefined,
            storage_place_id: values.storage_place_id ?? undefined,
            quarantine: values.quarantine,
            tasks: values.tasks.flatMap(task => {
              const actual_duration = sentUnlessEmpty(task.hours)
              return actual_duration === undefined ? [] : [{ id: task.id, actual_duration }]
            }),
          },
          sending,
        )
      }
      done={({ status }) => (status === 'DONE' ? `${number} is done` : `${number} is done in part`)}
      foretells={({ status, released_quantity, actual_cost: { unit_cost } }) => (
        <Text size="sm">
          {quantityText(released_quantity)} of {quantityText(order.quantity)} are in stock then
          {unit_cost !== null && (
            <>
              , at <Cost of={unit_cost} /> each
            </>
          )}
          . {status === 'DONE' ? 'The order is done.' : 'The order goes on.'}
        </Text>
      )}
    />
  )
}

function CompleteFields({ form, order }: { readonly form: UseFormReturnType<Completed>; readonly order: Order }) {
  const { item_id } = order.item_variant
  const { output_manufacture_date: made, output_expiry_date: expires } = form.values
  const mayHaveBatch = useMayHaveBatch([item_id])(item_id)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DecimalInput label="Quantity" withAsterisk {...form.getInputProps('quantity')} />
        <PlaceSelect label="Put at" required {...form.getInputProps('storage_place_id')} />
        {mayHaveBatch && (
          <>
            <TextInput
              label="Batch"
              placeholder={order.number}
              maxLength={64}
              {...form.getInputProps('output_batch_number')}
            />
            <TextInput type="date" label="Made on" {...form.getInputProps('output_manufacture_date')} />
            <TextInput type="date" label="Expires" {...form.getInputProps('output_expiry_date')} />
          </>
        )}
      </SimpleGrid>
      <DateWarnings
        of={[
          [isBefore(expires, made || today()), 'the output expires before it is made'],
          [isBefore(today(), made), 'the output is made after today'],
        ]}
      />
      <Checkbox
        label="Put it into quarantine: nothing is picked from there"
        {...form.getInputProps('quarantine', { type: 'checkbox' })}
      />
      <Checkbox
        label="This ends the order, even if less was made than planned"
        description="When nothing was made at all, its cost is expensed."
        {...form.getInputProps('is_final', { type: 'checkbox' })}
      />
      {form.values.tasks.length > 0 && (
        <Fieldset legend="Actual hours, in all so far">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {form.values.tasks.map(({ id, title, planned }, index) => (
              <DecimalInput
                key={id}
                label={title}
                placeholder={`planned ${quantityText(planned)}`}
                {...form.getInputProps(`tasks.${index}.hours`)}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      )}
    </>
  )
}

const materialLine = ({ id, item_variant_id, title, quantity }: Order['items'][number]): QuantityLine => ({
  id,
  item_variant_id,
  title,
  left: quantity,
  quantity: forTyping(quantity),
})

const writtenOff = (order: Order, lines: readonly QuantityLine[]): readonly TakenLine[] =>
  lines.map(({ title, quantity }, index) => ({
    ...{ variantId: order.items[index]?.item_variant_id ?? '', place: order.manufacturing_location_id },
    ...{ title, quantity, own: order.items[index]?.quantity ?? '0' },
  }))

/** Lines of which another quantity is taken than planned. */
const changedLines = (lines: readonly QuantityLine[]) =>
  lines.flatMap(({ id, left, quantity }) => {
    const value = typed(quantity)
    return value === null || isSame(value, left) ? [] : [{ id, quantity: sent(value) }]
  })
