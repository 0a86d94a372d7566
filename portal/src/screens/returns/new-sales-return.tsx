/** The form that says what goes back of a sales order, goods or money; it stands on the order's page. */
import { Checkbox, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sentTyped } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { readBatches } from '../../patterns/batches.tsx'
import { field } from '../../patterns/fields.tsx'
import { PlaceSelect } from '../../patterns/places.tsx'
import { fieldOfSent, leftRule, QuantityFields, sentLines } from '../../patterns/quantity-fields.tsx'
import { RecordFields, sentOf, type ValuesOf, valuesOf } from '../../patterns/record-fields.tsx'
import type { SalesOrder as Order, SalesReturn } from '../../records.ts'
import { useSession } from '../../session.tsx'
import { KitFields, MoneyFields } from './fields.tsx'
import { RefundForetold } from './foretold.tsx'
import { DOCUMENTS_MAX, ofOrder } from './of-order.tsx'
import { type MoneyLine, moneyRule, type ReturnLine, refundable, returnable } from './refundable.ts'
import { backRule, fieldOfPart, sentParts } from './returned-kit.ts'

const texts = {
  reason: field.text('Reason'),
  tracking_info: field.text('Parcel'),
  external_return_ref: field.text('Return reference'),
}
const noted = { notes: field.longText('Notes') }
const fields = { ...texts, ...noted }

type Values = {
  items: ReturnLine[]
  money: MoneyLine[]
  storage_place_id: string | null
  quarantine: boolean
} & ValuesOf<typeof fields>

type Props = { readonly order: Order; readonly returns: readonly SalesReturn[] | undefined }

export function NewSalesReturn({ order, returns }: Props) {
  const session = useSession()
  const { api } = session
  const navigate = useNavigate()
  const { data: left } = useQuery({
    queryKey: ['sales-shipments', 'with batches', order.id],
    queryFn: async ({ signal }) => {
      const shipments = await api.salesShipments.list(ofOrder(order), { signal }).toArray({ max: DOCUMENTS_MAX })
      const ids = new Set(shipments.flatMap(({ items }) => items.map(({ batch_id }) => batch_id)))
      return { shipments, batches: await readBatches(session, [...ids]) }
    },
  })
  if (returns === undefined || left === undefined || order.status === 'CANCELLED') return null
  const lines = returnable(order, { returns, ...left })
  const money = refundable(order, returns)
  if (lines.length === 0 && money.length === 0) return null
  const label = lines.length === 0 ? 'Refund' : 'Return'
  return (
    <Step
      label={label}
      title={`${label} of ${order.number}`}
      submitLabel="Create"
      size="lg"
      scope="write:sales.return.create"
      explains="Says what will come back and what is paid back. The stock moves when the return is received."
      initial={(): Values => ({
        ...{ items: lines, money, storage_place_id: null, quarantine: false },
        ...valuesOf(fields),
      })}
      validate={{ items: { quantity: leftRule, kit: { parts: { back: backRule } } }, money: { amount: moneyRule } }}
      fieldOf={fieldOf}
      fields={form => <ReturnFields form={form} order={order} />}
      send={(values, sending) => api.salesReturns.create({ sales_order_id: order.id, ...bodyOf(values) }, sending)}
      done={({ sales_return }) => `${sales_return.number} is created`}
      onDone={({ sales_return }) => navigate({ to: `/sales-returns/${sales_return.id}` as string })}
      foretells={one => <RefundForetold one={one} order={order} returns={returns} />}
    />
  )
}

function ReturnFields({ form, order }: { readonly form: UseFormReturnType<Values>; readonly order: Order }) {
  return (
    <>
      {form.values.items.length > 0 && (
        <QuantityFields
          form={form}
          leftIs="Shipped"
          below={({ title }, index) => (
            <>
              <Checkbox
                size="xs"
                label="Stays with the customer"
                aria-label={`${title} stays with the customer`}
                {...form.getInputProps(`items.${index}.stays`, { type: 'checkbox' })}
              />
              <KitFields form={form} index={index} />
            </>
          )}
        />
      )}
      <MoneyFields form={form} order={order} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <RecordFields form={form} fields={texts} isStacked />
        <PlaceSelect
          label="Comes back to"
          placeholder="Where it left from"
          {...form.getInputProps('storage_place_id')}
        />
      </SimpleGrid>
      <RecordFields form={form} fields={noted} isStacked />
      <Checkbox
        label="Put it into quarantine: nothing is picked from there"
        {...form.getInputProps('quarantine', { type: 'checkbox' })}
      />
    </>
  )
}

const typedMoney = (money: readonly MoneyLine[], of: MoneyLine['of']) =>
  money.filter(line => line.of === of && line.amount.trim() !== '')

function bodyOf({ items, money, storage_place_id, quarantine, ...typed }: Values) {
  const { reason, ...said } = sentOf(fields, typed)
  const pieces = sentLines(items, 'sales_order_item_id', ({ line, batch_id, stays, kit }) => ({
    sales_order_item_id: line,
    reason,
    ...(stays ? { restock: false } : { batch_id, quarantine, ...sentParts(kit) }),
  }))
  const alone = typedMoney(money, 'items').map(({ id, amount }) => ({
    ...{ sales_order_item_id: id, quantity: 0, amount: sentTyped(amount), reason },
  }))
  const charged = typedMoney(money, 'charges')
  const charges = charged.map(({ id, amount }) => ({ sales_order_charge_id: id, amount: sentTyped(amount) }))
  return {
    storage_place_id: storage_place_id ?? undefined,
    ...said,
    items: [...pieces, ...alone],
    charges,
  }
}

function fieldOfPieces(field: string, values: Values): string {
  const found = fieldOfSent(field, values)
  return fieldOfPart(found, values.items[Number(found.split('.')[1])]?.kit)
}

/** Lines with money only are sent after those with pieces. */
function fieldOf(field: string, values: Values): string {
  const pieces = sentLines(values.items, 'sales_order_item_id').length
  const [, list, at] = /^(items|charges)\.(\d+)/.exec(field) ?? []
  if (list === undefined || (list === 'items' && Number(at) < pieces)) return fieldOfPieces(field, values)
  const line = typedMoney(values.money, list as MoneyLine['of'])[Number(at) - (list === 'items' ? pieces : 0)]
  return line === undefined ? field : `money.${values.money.indexOf(line)}.amount`
}
