/** The steps of a sales order, as far as its status allows them. */
import { Table, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { SalesOrder } from '@millrace/client'
import {
  type Decimal,
  type Exact,
  forTyping,
  greater,
  isPositive,
  isZero,
  minus,
  sent,
  typed,
  typedHint,
} from '../../exact.ts'
import { quantityText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { DecimalInput } from '../../patterns/inputs.tsx'
import { useSession } from '../../session.tsx'

type Order = Exact<SalesOrder>
type Line = { readonly id: string; readonly title: string; readonly left: Decimal; readonly quantity: string }
type Quantities = { items: Line[] }

export function SalesOrderSteps({ order }: { readonly order: Order }) {
  const { api, can } = useSession()
  if (order.status !== 'OPEN') return null
  const closed = can('write:sales.order.update') ? undefined : 'The key lacks the scope write:sales.order.update'
  const common = { record: order, reread: () => api.salesOrders.get(order.id), closed }
  const toShip = linesOf(order, item => minus(item.quantity, item.shipped_quantity))
  const toPack = linesOf(order, item => minus(item.quantity, greater(item.packed_quantity, item.shipped_quantity)))
  const isUntouched = order.items.every(item => isZero(item.shipped_quantity))
  return (
    <>
      {toShip.length > 0 && (
        <Step
          {...common}
          label="Ship"
          title={`Ship ${order.number}`}
          size="lg"
          button={{ variant: 'filled' }}
          explains="The goods leave the stock now, of batches those that expire first."
          initial={(): Quantities => ({ items: toShip })}
          validate={quantityRules}
          fields={form => <QuantityFields form={form} />}
          send={({ items }, sending) => api.salesOrders.createShipment(order.id, { items: sentLines(items) }, sending)}
          done={({ number }) => `Shipped with ${number}`}
        />
      )}
      {toPack.length > 0 && (
        <Step
          {...common}
          label="Pack"
          title={`Pack ${order.number}`}
          size="lg"
          explains="Counts what is packed. No stock moves."
          initial={(): Quantities => ({ items: toPack })}
          validate={quantityRules}
          fields={form => <QuantityFields form={form} />}
          send={({ items }, sending) => api.salesOrders.createPacking(order.id, { items: sentLines(items) }, sending)}
          done={({ number }) => `Packed with ${number}`}
        />
      )}
      <Step
        {...common}
        label="Edit"
        title={`Edit ${order.number}`}
        submitLabel="Save"
        initial={() => ({
          delivery_date: order.delivery_date?.slice(0, 10) ?? '',
          priority: order.priority as string,
          notes: order.notes ?? '',
        })}
        validate={{ priority: value => (/^-?\d{1,10}$/.test(value.trim()) ? null : 'a whole number') }}
        fields={form => (
          <>
            <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
            <TextInput label="Priority" inputMode="numeric" {...form.getInputProps('priority')} />
            <Textarea label="Notes" autosize minRows={3} maxLength={10_000} {...form.getInputProps('notes')} />
          </>
        )}
        send={({ delivery_date, priority, notes }, sending) =>
          api.salesOrders.update(
            order.id,
            {
              delivery_date: delivery_date || null,
              priority: sent(priority.trim() as Decimal),
              notes: notes.trim() || null,
            },
            sending,
          )
        }
        done={({ number }) => `${number} is saved`}
      />
      <Step
        {...common}
        label="Mark as done"
        title={`${order.number} is done`}
        submitLabel="Mark as done"
        explains="The order is done as it is. What is reserved and not shipped becomes free; no stock moves."
        initial={() => ({})}
        send={(_, sending) => api.salesOrders.update(order.id, { status: 'DONE' }, sending)}
        done={({ number }) => `${number} is done`}
      />
      {isUntouched && (
        <Step
          {...common}
          label="Cancel order"
          title={`Cancel ${order.number}`}
          explains="What it reserves becomes free. This cannot be taken back."
          button={{ color: 'red', variant: 'outline' }}
          initial={() => ({ cancel_reason: '' })}
          fields={form => <TextInput label="Reason" maxLength={255} {...form.getInputProps('cancel_reason')} />}
          send={({ cancel_reason }, sending) =>
            api.salesOrders.update(
              order.id,
              { status: 'CANCELLED', cancel_reason: cancel_reason.trim() || null },
              sending,
            )
          }
          done={({ number }) => `${number} is cancelled`}
        />
      )}
    </>
  )
}

/** Lines of which something is left, with all of it filled in. */
function linesOf(order: Order, leftOf: (item: Order['items'][number]) => Decimal): Line[] {
  return order.items
    .map(item => ({ id: item.id, title: item.title, left: leftOf(item) }))
    .filter(({ left }) => isPositive(left))
    .map(line => ({ ...line, quantity: forTyping(line.left) }))
}

const quantityRules = {
  items: {
    quantity: (input: string) => (input.trim() === '' || typed(input) !== null ? null : typedHint),
  },
}

/** What was left empty or 0 stays for later. */
const sentLines = (items: readonly Line[]) =>
  items.flatMap(({ id, quantity }) => {
    const value = typed(quantity)
    return value === null || isZero(value) ? [] : [{ sales_order_item_id: id, quantity: sent(value) }]
  })

function QuantityFields({ form }: { readonly form: UseFormReturnType<Quantities> }) {
  return (
    <Table aria-label="Quantities">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th className="right">Left</Table.Th>
          <Table.Th w={130}>Quantity</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {form.values.items.map(({ id, title, left }, index) => (
          <Table.Tr key={id}>
            <Table.Td>{title}</Table.Td>
            <Table.Td className="right">{quantityText(left)}</Table.Td>
            <Table.Td>
              <DecimalInput aria-label={`Quantity of ${title}`} {...form.getInputProps(`items.${index}.quantity`)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
