/** Several sales orders at once: their pick lists, and packing and shipping all that is left of each, with what became of each. */
import { Alert, Group, List, TextInput } from '@mantine/core'
import { type BulkResult, type Entry, writes } from '@millrace/client'
import { useState } from 'react'
import { countText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { failureText } from '../../patterns/failure.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'

type Booked = { readonly id: string; readonly number: string }
type Result = { readonly order: Pick<Order, 'id' | 'number'>; readonly past: string; readonly of: BulkResult<Booked> }
type Parcel = { readonly id: string; readonly number: string; tracking: string }
type Values = { carrier: string; parcels: Parcel[] }

/** The service takes so many writes at once. */
const ORDERS_MAX = 100

export function ManyOrders({ orders: chosen }: { readonly orders: readonly Order[] }) {
  const { each } = useSession()
  const [results, setResults] = useState<readonly Result[]>([])
  const orders = chosen.filter(({ status }) => status === 'OPEN')
  const closed =
    orders.length === 0
      ? 'Choose open orders'
      : orders.length > ORDERS_MAX
        ? `At most ${countText(ORDERS_MAX)} orders at once`
        : undefined
  const several = orders.length === 1 ? 'one order' : `${countText(orders.length)} orders`
  const ids = orders.map(({ id }) => id).join(',')
  const common = {
    ...{ scope: 'write:sales.order.update', closed, button: { size: 'xs' }, onDone: setResults, size: 'lg' },
    done: (done: readonly Result[]) => `${done.filter(({ of }) => of.ok).length} of ${done.length} are done`,
  }
  /** The orders as the form had them: what is chosen may change while an answer is awaited. */
  const sent = async <One extends Result['order']>(
    past: string,
    all: readonly One[],
    entry: (one: One) => Entry<Booked>,
  ) => {
    const answers = await each(all.map(entry))
    return all.flatMap((order, index): Result[] => {
      const of = answers[index]
      return of ? [{ order, past, of }] : []
    })
  }
  return (
    <>
      {closed === undefined && (
        <ButtonLink to="/print/pick-lists" search={{ ids }} size="xs">
          Pick lists
        </ButtonLink>
      )}
      <Step
        {...common}
        label="Pack"
        title={`Pack ${several}`}
        explains="Counts all that is left of them as packed. No stock moves."
        send={(_, { idempotencyKey }) =>
          sent('packed with', orders, ({ id }) =>
            writes.salesOrders.createPacking(id, {}, { idempotencyKey: `${idempotencyKey}-${id}` }),
          )
        }
      />
      <Step
        {...common}
        label="Ship"
        title={`Ship ${several}`}
        explains="All that is left of them leaves the stock now, of batches those that expire first. An order that cannot be shipped says why; the others are."
        initial={(): Values => ({
          carrier: '',
          parcels: orders.map(({ id, number }) => ({ id, number, tracking: '' })),
        })}
        fields={form => (
          <>
            <TextInput label="Carrier" maxLength={255} {...form.getInputProps('carrier')} />
            {form.values.parcels.map(({ id, number }, index) => (
              <TextInput
                key={id}
                label={`Tracking number of ${number}`}
                maxLength={255}
                {...form.getInputProps(`parcels.${index}.tracking`)}
              />
            ))}
          </>
        )}
        send={({ carrier, parcels }, { idempotencyKey }) =>
          sent('shipped with', parcels, ({ id, tracking }) =>
            writes.salesOrders.createShipment(
              id,
              { carrier: carrier.trim() || null, tracking_number: tracking.trim() || null },
              { idempotencyKey: `${idempotencyKey}-${id}` },
            ),
          )
        }
      />
      {results.length > 0 && <Results of={results} onClose={() => setResults([])} />}
    </>
  )
}

function Results({ of, onClose }: { readonly of: readonly Result[]; readonly onClose: () => void }) {
  const made = of.flatMap(({ past, of: one }) => (one.ok && past === 'shipped with' ? [one.body.id] : []))
  return (
    <Alert
      role="status"
      variant="outline"
      title="What became of each"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
      style={{ flexBasis: '100%', order: 1 }}
    >
      <List size="sm" mb="xs">
        {of.map(({ order, past, of: one }) => (
          <List.Item key={order.id}>
            {one.ok
              ? `${order.number} is ${past} ${one.body.number}`
              : `${order.number} is not: ${failureText(one.error)}`}
          </List.Item>
        ))}
      </List>
      {made.length > 0 && (
        <Group>
          <ButtonLink to="/print/packing-slips" search={{ ids: made.join(',') }} size="xs">
            Packing slips
          </ButtonLink>
        </Group>
      )}
    </Alert>
  )
}
