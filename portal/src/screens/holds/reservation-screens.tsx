/** Holds: their list and a page each, with what is kept, and when it ends or how it ended. */

import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ExactApi } from '../../exact.ts'
import { Instant } from '../../format.tsx'
import { Step } from '../../patterns/action-form.tsx'
import { changedFields, orNull } from '../../patterns/changes.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { useRecord } from '../../patterns/detail-page.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { Foretold } from '../../patterns/foretold.tsx'
import { rowsOf } from '../../patterns/groups.ts'
import type { Happening } from '../../patterns/history.tsx'
import { PartTexts } from '../../patterns/kits.tsx'
import { linkTo, PathLink, What } from '../../patterns/links.tsx'
import { rowsWith } from '../../patterns/list-of.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import type { Reservation as Hold } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { customers } from '../partners/nouns.ts'
import { NewSalesOrder } from '../sales/new-sales-order.tsx'
import { salesOrders } from '../sales/nouns.ts'
import { EndInput, endRule } from './end.tsx'
import { NewHold } from './new-hold.tsx'
import { holds } from './nouns.ts'

export const { List, Page } = documentScreens(holds, {
  ...rowsWith(withCustomers, [
    numberColumn(holds),
    column.status('Status', ({ status }) => status),
    column.shown('Customer', ({ customer_title }) => customer_title, 'sm'),
    column.lines('What', ({ items }) => items),
    column.instant('Ends', ({ expires_at }) => expires_at),
    column.instant('Created', ({ created_at }) => created_at, 'md'),
  ]),
  actions: (
    <>
      <PathLink to="/sales-orders">Sales orders</PathLink>
      <NewHold />
    </>
  ),
  whenEmpty:
    'Nothing is held. Make a hold here, or let your checkout send it to POST /reservations while a customer pays.',
  useMore: useOthers,
  steps: hold => <HoldSteps hold={hold} />,
  facts: (hold, { customer, order }) => [
    ['Customer', linkTo('CUSTOMER', hold.customer_id, customer?.title ?? `Customer ${hold.customer_id}`)],
    [hold.status === 'HELD' ? 'Ends' : 'Would have ended', <Instant key="end" at={hold.expires_at} />],
    ['Sales order', orderLink(hold, order)],
    ['Reference', hold.external_ref],
    ['Notes', hold.notes],
  ],
  lines: [
    column.shown(
      'What',
      line => (
        <>
          <What {...line} />
          <PartTexts of={line.components} />
        </>
      ),
      { says: ({ title }) => title },
    ),
    column.place('At', ({ storage_place_id }) => storage_place_id),
    column.quantity('Quantity', ({ quantity }) => quantity),
  ],
  history: happeningsOf,
})

function useOthers(hold: Hold) {
  useEnd(hold)
  return { customer: useRecord(customers, hold.customer_id), order: useRecord(salesOrders, hold.sales_order_id) }
}

type Others = ReturnType<typeof useOthers>

const orderLink = ({ sales_order_id: id }: Hold, order: Others['order']) =>
  linkTo('SALES_ORDER', id, order?.number ?? `Order ${id}`)

/** A hold has only the id of its customer. */
async function withCustomers(api: ExactApi, found: readonly Hold[], options: { readonly signal: AbortSignal }) {
  const ids = found.flatMap(({ customer_id }) => customer_id ?? [])
  const named = await rowsOf(ids, id => api.customers.list({ id, limit: id.length }, options))
  const titles = new Map(named.map(({ id, title }) => [id, title]))
  return found.map(hold => ({ ...hold, customer_title: titles.get(hold.customer_id ?? '') }))
}

/** The API has no time of a release. The time of the last change is shown instead. */
function happeningsOf(hold: Hold, { order }: Others): readonly Happening[] {
  const { status, expires_at, updated_at, updated_by_user_name: by } = hold
  const ends: Readonly<Record<Hold['status'], readonly Happening[]>> = {
    HELD: [],
    CONSUMED: [
      {
        ...{ key: 'consumed', at: order?.created_date ?? updated_at, title: 'Ordered' },
        ...{ text: orderLink(hold, order), by: order?.created_by_user_name ?? null },
      },
    ],
    RELEASED: [{ key: 'released', at: updated_at, title: 'Released', by }],
    EXPIRED: [{ key: 'expired', at: expires_at, title: 'Expired' }],
  }
  return ends[status]
}

/** The service ends a hold up to 5 s after its time, and this clock may differ from the service's. */
const AGAIN_MS = 5_000
/** A timer of the browser lasts 24 days at most. */
const WAIT_MS_MAX = 3_600_000

/** Reloads the hold after its end, because a key that may not read events does not get the event. */
function useEnd(hold: Hold): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (hold.status !== 'HELD') return
    const leftMs = Date.parse(hold.expires_at) - Date.now()
    const again = () => queries.invalidateQueries({ queryKey: [holds.resource] })
    const timer = setTimeout(again, Math.min(Math.max(leftMs, AGAIN_MS), WAIT_MS_MAX))
    return () => clearTimeout(timer)
  }, [hold, queries])
}

function HoldSteps({ hold }: { readonly hold: Hold }) {
  const api = useApi()
  const { id, status } = hold
  const isHeld = status === 'HELD'
  const step = useStepsOf(holds, hold, 'write:sales.order.create')
  return (
    <>
      {isHeld && <NewSalesOrder holdId={id} />}
      <Step
        {...step('Edit', 'saved')}
        submitLabel="Save"
        initial={() => ({ expires_at: hold.expires_at, notes: hold.notes ?? '' })}
        validate={{ expires_at: endRule }}
        fields={form => (
          <>
            {isHeld && <EndInput {...form.getInputProps('expires_at')} />}
            <Textarea label="Notes" autosize minRows={3} maxLength={10_000} {...form.getInputProps('notes')} />
          </>
        )}
        send={(values, sending, before) =>
          api.reservations.update(
            id,
            changedFields(before, values, { expires_at: (end: string) => end, notes: orNull }),
            sending,
          )
        }
      />
      {isHeld && (
        <Step
          {...step('Release', 'released')}
          button={{ color: 'red', variant: 'outline' }}
          explains="It ends now, and its goods are available again. This cannot be taken back."
          send={(_, sending) => api.reservations.release(id, {}, sending)}
          foretells={({ items }) => (
            <Foretold
              begins="These goods are available again:"
              lines={items.map(item => ({ ...item, batch_id: null }))}
            >
              No stock moves.
            </Foretold>
          )}
        />
      )}
    </>
  )
}
