/** The form for a new hold. */
import { TextInput } from '@mantine/core'
import { sentTyped } from '../../exact.ts'
import { type Choice, PartnerPicker } from '../../patterns/inputs.tsx'
import { NewOrder } from '../../patterns/new-order.tsx'
import { type OrderLine, orderLine, orderLineRules } from '../../patterns/order-line.ts'
import { OrderLineFields } from '../../patterns/order-lines.tsx'
import { useApi } from '../../session.tsx'
import { EndInput, endRule, usualEnd } from './end.tsx'

type Values = { customer: Choice | null; expires_at: string; notes: string; items: OrderLine[] }

type Props = {
  readonly variant?: Choice
}

export function NewHold({ variant }: Props) {
  const api = useApi()
  return (
    <NewOrder
      label={variant ? 'Hold' : 'New hold'}
      title="New hold"
      submitLabel="Hold"
      {...(variant ? { button: { variant: 'default' } } : {})}
      path="/reservations"
      scope={['write:sales.order.create', 'read:sales']}
      explains="Keeps goods of the main place for somebody who is about to order. All of it must be available."
      initial={(): Values => ({ customer: null, expires_at: usualEnd(), notes: '', items: [orderLine(variant)] })}
      validate={{ expires_at: endRule, items: orderLineRules }}
      fieldOf={field => field.replace(/\.item_variant_id$/, '.variant')}
      fields={form => (
        <>
          <PartnerPicker of="customers" label="Customer (if known)" {...form.getInputProps('customer')} />
          <OrderLineFields form={form} kind="HOLD" />
          <EndInput {...form.getInputProps('expires_at')} />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={({ customer, expires_at, notes, items }, sending) =>
        api.reservations.create(
          {
            customer_id: customer?.id ?? null,
            expires_at,
            notes: notes.trim() || null,
            items: items.map(({ variant, quantity }) => ({
              item_variant_id: variant?.id,
              quantity: sentTyped(quantity),
            })),
          },
          sending,
        )
      }
    />
  )
}
