/** Lines of an order that is to be made: what, how many, at which price. */
import { ActionIcon, Button, Fieldset, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Cross2Icon } from '@radix-ui/react-icons'
import { sent, typed } from '../exact.ts'
import { type Choice, DecimalInput, decimalRules, VariantPicker } from './inputs.tsx'

export type OrderLine = {
  readonly key: string
  readonly variant: Choice | null
  readonly quantity: string
  readonly price: string
}

export const orderLine = (): OrderLine => ({ key: String(Math.random()), variant: null, quantity: '1', price: '' })

export const orderLineRules = {
  variant: (value: Choice | null) => (value === null ? 'choose a product' : null),
  quantity: decimalRules.positive,
  price: (value: string) => (decimalRules.empty(value) ? null : decimalRules.zeroOrMore(value)),
}

/** Lines that passed the rules. */
export const sentOrderLines = (lines: readonly OrderLine[]) =>
  lines.map(({ variant, quantity, price }) => {
    const [quantityTyped, priceTyped] = [typed(quantity), typed(price)]
    return {
      item_variant_id: variant?.id ?? '',
      quantity: quantityTyped === null ? 0 : sent(quantityTyped),
      ...(priceTyped === null ? {} : { price: sent(priceTyped) }),
    }
  })

type Props<Values extends { items: OrderLine[] }> = {
  readonly form: UseFormReturnType<Values>
  readonly of: 'is_sellable' | 'is_purchasable'
  /** Which price holds where none is typed. */
  readonly usualPrice: string
}

export function OrderLineFields<Values extends { items: OrderLine[] }>({ form, of, usualPrice }: Props<Values>) {
  return (
    <Fieldset legend="Lines">
      <Stack gap="xs">
        {form.values.items.map(({ key }, index) => (
          <Group key={key} gap="xs" align="flex-end" wrap="nowrap">
            <div style={{ flex: 1 }}>
              <VariantPicker label="Product" required of={of} {...form.getInputProps(`items.${index}.variant`)} />
            </div>
            <DecimalInput label="Quantity" w={90} {...form.getInputProps(`items.${index}.quantity`)} />
            <DecimalInput
              label="Price"
              placeholder={usualPrice}
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
          <Button variant="subtle" size="xs" onClick={() => form.insertListItem('items', orderLine() as never)}>
            Add a line
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
