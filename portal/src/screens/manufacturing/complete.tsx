/** The form that completes a manufacturing order, in full or in part: output, its batch, and the hours of its tasks. */
import { Checkbox, Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { dayOf, today } from '../../days.ts'
import { type Decimal, forTyping, isPositive, minus, sentTyped, sentUnlessEmpty, typed } from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { Step, type StepProps } from '../../patterns/action-form.tsx'
import { Cost } from '../../patterns/columns.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { DecimalInput, decimalRules } from '../../patterns/inputs.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { ExpiryInput, isNewBatch, useTracked } from '../../patterns/tracked.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import type { Task } from './reads.ts'

const leftOf = ({ quantity, released_quantity }: Order): Decimal => minus(quantity, released_quantity)

const typedOf = (order: Order, tasks: readonly Task[]) => ({
  quantity: isPositive(leftOf(order)) ? forTyping(leftOf(order)) : '0',
  is_final: false,
  output_batch_number: order.output_batch_number ?? '',
  output_manufacture_date: dayOf(order.output_manufacture_date),
  output_expiry_date: dayOf(order.output_expiry_date),
  storage_place_id: order.manufacturing_location_id as string | null,
  quarantine: false,
  tasks: tasks.map(({ id, operation_title: title, planned_duration: planned, actual_duration: actual }) => ({
    ...{ id, title, planned, hours: actual === null ? '' : forTyping(actual) },
  })),
})

type Completed = ReturnType<typeof typedOf>

type Props = {
  readonly order: Order
  readonly tasks: readonly Task[]
  readonly step: Omit<StepProps<Completed, Order, Order>, 'send' | 'done'>
}

export function Complete({ order, tasks, step }: Props) {
  const session = useSession()
  const { id, number } = order
  const { shelfLife } = useTracked([order.item_variant.item_id])(order.item_variant.item_id)
  return (
    <Step
      {...step}
      scope="write:manufacturing.order.complete"
      size="lg"
      button={{ variant: 'filled' }}
      explains={`${quantityText(leftOf(order))} of ${quantityText(order.quantity)} are still to be made. Less than that leaves the order open.`}
      initial={() => typedOf(order, tasks)}
      validate={{
        quantity: decimalRules.zeroOrMore,
        tasks: { hours: input => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)) },
      }}
      fields={form => <CompleteFields form={form} order={order} />}
      send={async (values, sending) => {
        const { quantity, output_manufacture_date: made, output_expiry_date: expires } = values
        const batch = values.output_batch_number.trim()
        // Made today: the service then counts the shelf life.
        const isMadeToday =
          made === '' &&
          expires === '' &&
          shelfLife !== null &&
          isPositive(typed(quantity) ?? '0') &&
          (await isNewBatch(session, order.item_variant.id, batch || (order.output_batch_number ?? number)))
        const completed = {
          ...{ quantity: sentTyped(quantity), is_final: values.is_final, quarantine: values.quarantine },
          output_batch_number: batch || undefined,
          output_manufacture_date: isMadeToday ? today() : made || undefined,
          output_expiry_date: expires || undefined,
          storage_place_id: values.storage_place_id ?? undefined,
          tasks: values.tasks.flatMap(task => {
            const actual_duration = sentUnlessEmpty(task.hours)
            return actual_duration === undefined ? [] : [{ id: task.id, actual_duration }]
          }),
        }
        return await session.api.manufacturingOrders.complete(id, completed, sending)
      }}
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
  const { mayHaveBatch, shelfLife } = useTracked([item_id])(item_id)
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
            <ExpiryInput shelfLife={shelfLife} from={made || today()} {...form.getInputProps('output_expiry_date')} />
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
