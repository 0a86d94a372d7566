/** The form that announces what comes back of a sales order; it stands on the order's page. */
import { Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isPositive, minus, sum } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { readBatches } from '../../patterns/batches.tsx'
import { orNull } from '../../patterns/changes.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { fieldOfSent, leftRule, QuantityFields, type QuantityLine, sentLines } from '../../patterns/quantity-fields.tsx'
import type { SalesOrder as Order, SalesReturn, SalesShipment } from '../../records.ts'
import { useSession } from '../../session.tsx'

type Piece = Pick<
  SalesReturn['items'][number] | SalesShipment['items'][number],
  'sales_order_item_id' | 'batch_id' | 'quantity'
>
/** What has left and what has come back of the order, and the numbers of the batches. */
type Past = {
  readonly returns: readonly SalesReturn[]
  readonly shipments: readonly SalesShipment[]
  readonly batches: ReadonlyMap<string, string>
}
type ReturnLine = QuantityLine & { readonly line: string; readonly batch_id: string | null }
type Values = {
  items: ReturnLine[]
  reason: string
  storage_place_id: string | null
  tracking_info: string
  external_return_ref: string
  notes: string
  quarantine: boolean
}

const PAGE_ROWS = 200
const DOCUMENTS_MAX = 2_000

export function NewSalesReturn({ order }: { readonly order: Order }) {
  const session = useSession()
  const { api } = session
  const navigate = useNavigate()
  const ofOrder = { sales_order_id: order.id, limit: PAGE_ROWS }
  const { data: returns } = useQuery({
    queryKey: ['sales-returns', 'of', order.id],
    queryFn: ({ signal }) => api.salesReturns.list(ofOrder, { signal }).toArray({ max: DOCUMENTS_MAX }),
  })
  const { data: left } = useQuery({
    queryKey: ['sales-shipments', 'with batches', order.id],
    queryFn: async ({ signal }) => {
      const shipments = await api.salesShipments.list(ofOrder, { signal }).toArray({ max: DOCUMENTS_MAX })
      const ids = new Set(shipments.flatMap(({ items }) => items.map(({ batch_id }) => batch_id)))
      return { shipments, batches: await readBatches(session, [...ids]) }
    },
  })
  const lines = returns === undefined || left === undefined ? [] : returnable(order, { returns, ...left })
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
            items: sentLines(items, 'sales_order_item_id', ({ line, batch_id }) => ({
              sales_order_item_id: line,
              batch_id,
              reason: orNull(reason),
              quarantine,
            })),
          },
          sending,
        )
      }
      done={({ sales_return }) => `${sales_return.number} is announced`}
      onDone={({ sales_return }) => navigate({ to: `/sales-returns/${sales_return.id}` as string })}
    />
  )
}

/**
 * Lines of which more was shipped than other returns hold, a row for each batch that left, the last first; how many come back is for the person
 * to say. What left in one batch alone, or partly without a batch, is one row: the service knows where it goes.
 */
function returnable(order: Order, { returns, shipments, batches }: Past): ReturnLine[] {
  const held = returns.filter(({ sales_return }) => sales_return.status !== 'CANCELLED').flatMap(({ items }) => items)
  const left = shipments.filter(({ reversed_at }) => reversed_at === null).flatMap(({ items }) => items)
  const rows = order.items.flatMap(item => {
    const { id, item_variant_id, title } = item
    const of = (lines: readonly Piece[]) => lines.filter(({ sales_order_item_id }) => sales_order_item_id === id)
    const quantityOf = (lines: readonly Piece[]) => sum(lines.map(({ quantity }) => quantity))
    const ids = [
      ...new Set(
        of(left)
          .toReversed()
          .map(({ batch_id }) => batch_id),
      ),
    ]
    const whole = { item_variant_id, title, line: id }
    if (ids.length < 2 || ids.includes(null))
      return [{ ...whole, id, batch_id: null, left: minus(item.shipped_quantity, quantityOf(of(held))) }]
    return ids.map(batch_id => {
      const inBatch = (lines: readonly Piece[]) => quantityOf(of(lines).filter(piece => piece.batch_id === batch_id))
      const number = batches.get(batch_id ?? '') ?? batch_id
      return {
        ...whole,
        id: `${id} ${batch_id}`,
        title: `${title}, batch ${number}`,
        batch_id,
        left: minus(inBatch(left), inBatch(held)),
      }
    })
  })
  return rows.filter(row => isPositive(row.left)).map(row => ({ ...row, quantity: '' }))
}
