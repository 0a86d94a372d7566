/** The form that announces what comes back of a sales order; it stands on the order's page. */
import { Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { SalesOrder, SalesReturn } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Exact, minus, sum } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { orNull } from '../../patterns/changes.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import {
  fieldOfSent,
  leftRule,
  linesLeft,
  QuantityFields,
  type QuantityLine,
  sentLines,
} from '../../patterns/quantity-fields.tsx'
import { useApi } from '../../session.tsx'

type Order = Exact<SalesOrder>
type Values = {
  items: QuantityLine[]
  reason: string
  storage_place_id: string | null
  tracking_info: string
  external_return_ref: string
  notes: string
  quarantine: boolean
}

const PAGE_ROWS = 200
const RETURNS_MAX = 2_000

export function NewSalesReturn({ order }: { readonly order: Order }) {
  const api = useApi()
  const navigate = useNavigate()
  const { data: returns } = useQuery({
    queryKey: ['sales-returns', 'of', order.id],
    queryFn: ({ signal }) =>
      api.salesReturns.list({ sales_order_id: order.id, limit: PAGE_ROWS }, { signal }).toArray({ max: RETURNS_MAX }),
  })
  const lines = returns === undefined ? [] : returnable(order, returns)
  if (lines.length === 0) return null
  return (
    <Step
      label="Return"
      title={`Return of ${order.number}`}
      submitLabel="Announce"
      size="lg"
      scope="write:sales.return.create"
      explains="Says what will come back. The stock moves when the return is received."
      initial={(): Values => ({
        items: lines,
        reason: '',
        storage_place_id: null,
        tracking_info: '',
        external_return_ref: '',
        notes: '',
        quarantine: false,
      })}
      validate={{ items: { quantity: leftRule } }}
      fieldOf={fieldOfSent}
      fields={form => (
        <>
          <QuantityFields form={form} leftIs="Shipped" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="Reason" maxLength={255} {...form.getInputProps('reason')} />
            <TextInput label="Parcel" maxLength={255} {...form.getInputProps('tracking_info')} />
            <TextInput label="Return reference" maxLength={255} {...form.getInputProps('external_return_ref')} />
            <PlaceSelect
              label="Comes back to"
              placeholder="Where it left from"
              {...form.getInputProps('storage_place_id')}
            />
          </SimpleGrid>
          <Textarea label="Notes" autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
          <Checkbox
            label="Put it into quarantine: nothing is picked from there"
            {...form.getInputProps('quarantine', { type: 'checkbox' })}
          />
        </>
      )}
      send={({ items, reason, storage_place_id, tracking_info, external_return_ref, notes, quarantine }, sending) =>
        api.salesReturns.create(
          {
            sales_order_id: order.id,
            storage_place_id: storage_place_id ?? undefined,
            tracking_info: orNull(tracking_info),
            external_return_ref: orNull(external_return_ref),
            notes: orNull(notes),
            items: sentLines(items, 'sales_order_item_id', () => ({ reason: orNull(reason), quarantine })),
          },
          sending,
        )
      }
      done={({ sales_return }) => `${sales_return.number} is announced`}
      onDone={({ sales_return }) => navigate({ to: '/sales-returns/$id', params: { id: sales_return.id } })}
    />
  )
}

/** Lines of which more was shipped than other returns hold; how many come back is for the person to say. */
function returnable(order: Order, returns: readonly Exact<SalesReturn>[]): QuantityLine[] {
  const held = returns.filter(({ sales_return }) => sales_return.status !== 'CANCELLED').flatMap(({ items }) => items)
  return linesLeft(order.items, item => {
    const ofLine = held.filter(({ sales_order_item_id }) => sales_order_item_id === item.id)
    return minus(item.shipped_quantity, sum(ofLine.map(({ quantity }) => quantity)))
  }).map(line => ({ ...line, quantity: '' }))
}
