/** The form that makes a sales order. */
import { ActionIcon, Button, Fieldset, Group, Stack, TextInput } from '@mantine/core'
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { sent, typed } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { type Choice, CustomerPicker, DecimalInput, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { useSession } from '../../session.tsx'

type Line = { readonly key: string; readonly variant: Choice | null; readonly quantity: string; readonly price: string }
type Values = { customer: Choice | null; delivery_date: string; notes: string; items: Line[] }

const line = (): Line => ({ key: String(Math.random()), variant: null, quantity: '1', price: '' })

const numberOf = (input: string) => {
  const value = typed(input)
  return value === null ? {} : { value: sent(value) }
}

export function NewSalesOrder() {
  const { api, can } = useSession()
  const navigate = useNavigate()
  return (
    <Step
      label="New sales order"
      submitLabel="Create"
      size="lg"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      closed={can('write:sales.order.create') ? undefined : 'The key lacks the scope write:sales.order.create'}
      initial={(): Values => ({ customer: null, delivery_date: '', notes: '', items: [line()] })}
      validate={{
        customer: value => (value === null ? 'choose a customer' : null),
        items: {
          variant: value => (value === null ? 'choose what is sold' : null),
          quantity: decimalRules.positive,
          price: value => (decimalRules.empty(value) ? null : decimalRules.zeroOrMore(value)),
        },
      }}
      fields={form => (
        <>
          <CustomerPicker label="Customer" required {...form.getInputProps('customer')} />
          <Fieldset legend="Lines">
            <Stack gap="xs">
              {form.values.items.map(({ key }, index) => (
                <Group key={key} gap="xs" align="flex-end" wrap="nowrap">
                  <div style={{ flex: 1 }}>
                    <VariantPicker
                      label="Product"
                      required
                      of="is_sellable"
                      {...form.getInputProps(`items.${index}.variant`)}
                    />
                  </div>
                  <DecimalInput label="Quantity" w={90} {...form.getInputProps(`items.${index}.quantity`)} />
                  <DecimalInput
                    label="Price"
                    placeholder="list price"
                    w={100}
                    {...form.getInputProps(`items.${index}.price`)}
                  />
                  <ActionIcon
                    variant="default"
                    size={36}
                    aria-label={`Remove line ${index + 1}`}
                    disabled={form.values.items.length === 1}
                    onClick={() => form.removeListItem('items', index)}
                  >
                    <Cross2Icon aria-hidden />
                  </ActionIcon>
                </Group>
              ))}
              <Group>
                <Button variant="subtle" size="xs" onClick={() => form.insertListItem('items', line())}>
                  Add a line
                </Button>
              </Group>
            </Stack>
          </Fieldset>
          <TextInput type="date" label="Due" {...form.getInputProps('delivery_date')} />
          <TextInput label="Notes" maxLength={10_000} {...form.getInputProps('notes')} />
        </>
      )}
      send={({ customer, delivery_date, notes, items }, sending) =>
        api.salesOrders.create(
          {
            customer_id: customer?.id,
            ...(delivery_date === '' ? {} : { delivery_date }),
            ...(notes.trim() === '' ? {} : { notes }),
            items: items.map(({ variant, quantity, price }) => ({
              item_variant_id: variant?.id ?? '',
              quantity: numberOf(quantity).value ?? 0,
              ...(price.trim() === '' ? {} : { price: numberOf(price).value }),
            })),
          },
          sending,
        )
      }
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: '/sales-orders/$id', params: { id } })}
    />
  )
}
