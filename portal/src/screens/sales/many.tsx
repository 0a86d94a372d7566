/**
 * Several sales orders at once: their pick lists, and packing and shipping what is left of each, or what was picked, with the result of
 * each.
 */
import { Alert, Group, List, TextInput } from '@mantine/core'
import { type BulkResult, type Entry, writes } from '@millrace/client'
import { useState } from 'react'
import { sent, sum } from '../../exact.ts'
import { countText } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { failureText } from '../../patterns/failure.tsx'
import { ButtonLink } from '../../patterns/links.tsx'
import type { SalesOrder as Order } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { type Picked, sentPicked } from './to-pick.ts'

type Booked = { readonly id: string; readonly number: string }
type Result = { readonly order: Pick<Order, 'id' | 'number'>; readonly past: string; readonly of: BulkResult<Booked> }
type Parcel = {
  readonly id: string
  readonly number: string
  readonly to: string
  readonly items: readonly Picked[]
  tracking: string
}
type Values = { carrier: string; parcels: Parcel[] }

/** The most writes that the service takes at once. */
const ORDERS_MAX = 100

type Props = {
  readonly orders: readonly Order[]
  /** The picked goods by the ids of orders. Undefined: everything that the orders have left to pack or ship. */
  readonly picked?: ReadonlyMap<string, readonly Picked[]>
}

export function ManyOrders({ orders: chosen, picked }: Props) {
  const { each } = useSession()
  const [results, setResults] = useState<readonly Result[]>([])
  const orders = chosen.filter(({ id, status }) => status === 'OPEN' && (!picked || picked.has(id)))
  const closed =
    orders.length === 0
      ? picked
        ? 'Tick what you picked'
        : 'Choose open orders'
      : orders.length > ORDERS_MAX
        ? `At most ${countText(ORDERS_MAX)} orders at once`
        : undefined
  const several = orders.length === 1 ? 'one order' : `${countText(orders.length)} orders`
  const what = picked ? 'what was picked of them' : 'all that is left of them'
  const ids = orders.map(({ id }) => id).join(',')
  const common = {
    ...{ scope: 'write:sales.order.update', closed, button: { size: 'xs' }, onDone: setResults, size: 'lg' },
    done: (done: readonly Result[]) => `${done.filter(({ of }) => of.ok).length} of ${done.length} are done`,
  }
  /** The orders as the form had them: the choice may change while the request runs. */
  const sendEach = async <One extends Result['order']>(
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
      {closed === undefined && !picked && (
        <>
          <ButtonLink to="/sales-orders/pick" search={{ ids }} size="xs">
            Pick
          </ButtonLink>
          <ButtonLink to="/print/pick-lists" search={{ ids }} size="xs">
            Pick lists
          </ButtonLink>
        </>
      )}
      <Step
        {...common}
        label="Pack"
        title={`Pack ${several}`}
        explains={`Counts ${what} as packed. No stock moves.`}
        send={(_, { idempotencyKey }) =>
          sendEach('packed with', orders, ({ id }) =>
            writes.salesOrders.createPacking(id, picked ? { items: packedOf(picked.get(id) ?? []) } : {}, {
              idempotencyKey: `${idempotencyKey}-${id}`,
            }),
          )
        }
      />
      <Step
        {...common}
        label="Ship"
        title={`Ship ${several}`}
        explains={`${what.replace(/^./, first => first.toUpperCase())} leaves the stock now, of batches ${picked ? 'those that were picked' : 'those that expire first'}. An order that cannot be shipped says why; the others are.`}
        initial={(): Values => ({
          carrier: '',
          parcels: orders.map(({ id, number, customer }) => ({
            ...{ id, number, to: customer.title, items: picked?.get(id) ?? [], tracking: '' },
          })),
        })}
        fields={form => (
          <>
            <TextInput label="Carrier" maxLength={255} {...form.getInputProps('carrier')} />
            {form.values.parcels.map(({ id, number, to }, index) => (
              <TextInput
                key={id}
                label={`Tracking number of ${number}, ${to}`}
                maxLength={255}
                onKeyDown={event => {
                  if (event.key !== 'Enter') return
                  // A scanner ends each number with it.
                  event.preventDefault()
                  const submit = event.currentTarget.form?.querySelector<HTMLElement>('[type=submit]')
                  ;(form.getInputNode(`parcels.${index + 1}.tracking`) ?? submit)?.focus()
                }}
                {...form.getInputProps(`parcels.${index}.tracking`)}
              />
            ))}
          </>
        )}
        send={({ carrier, parcels }, { idempotencyKey }) =>
          sendEach('shipped with', parcels, ({ id, items, tracking }) =>
            writes.salesOrders.createShipment(
              id,
              {
                ...{ carrier: carrier.trim() || null, tracking_number: tracking.trim() || null },
                ...(items.length > 0 ? { items: items.map(sentPicked) } : {}),
              },
              { idempotencyKey: `${idempotencyKey}-${id}` },
            ),
          )
        }
      />
      {results.length > 0 && <Results of={results} onClose={() => setResults([])} />}
    </>
  )
}

/** Packings have no batches, so the picks of several batches are one. */
const packedOf = (items: readonly Picked[]) =>
  [...Map.groupBy(items, item => item.sales_order_item_id)].map(([sales_order_item_id, parts]) => ({
    sales_order_item_id,
    quantity: sent(sum(parts.map(({ quantity }) => quantity))),
  }))

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
