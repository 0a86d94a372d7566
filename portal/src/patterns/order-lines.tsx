/** An order that is to be made, and its lines: what, how many, at which price. */
import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Decimal, sentTyped, sentUnlessEmpty } from '../exact.ts'
import { quantityText } from '../format.tsx'
import { Step, type StepProps } from './action-form.tsx'
import { type Choice, DecimalInput, decimalRules, VariantPicker } from './inputs.tsx'
import { PlaceTitle } from './places.tsx'
import { Promised } from './promised.tsx'
import type { CountedIn } from './purchase-units.tsx'

export type OrderLine = {
  readonly key: string
  readonly variant: Choice | null
  readonly quantity: string
  readonly price: string
  /** What a hold keeps for the line; null without one. */
  readonly held: Held | null
  /** Of a purchase order's line; null until its quantity is typed: the supplier's unit, where there is one. */
  readonly counted: CountedIn | null
}

type Held = { readonly variantId: string; readonly quantity: Decimal; readonly placeId: string | null }

export const orderLine = (
  variant: Choice | null = null,
  quantity = '1',
  { held = null, counted = null }: Partial<Pick<OrderLine, 'held' | 'counted'>> = {},
): OrderLine => ({
  key: String(Math.random()),
  variant,
  quantity,
  price: '',
  held,
  counted,
})

/** What is held for the line; null once another product is chosen. */
const heldOf = ({ held, variant }: OrderLine): Held | null =>
  held !== null && held.variantId === variant?.id ? held : null

export const orderLineRules = {
  variant: (value: Choice | null) => (value === null ? 'choose a product' : null),
  quantity: decimalRules.positive,
  price: (value: string) => (decimalRules.empty(value) ? null : decimalRules.zeroOrMore(value)),
}

/** A line that passed the rules. */
export const sentOrderLine = (line: OrderLine) => ({
  item_variant_id: line.variant?.id ?? '',
  quantity: sentTyped(line.quantity),
  price: sentUnlessEmpty(line.price),
  // The goods are taken from where they are held.
  storage_place_id: heldOf(line)?.placeId,
})

type NewProps<Values extends object, Answer> = Omit<StepProps<Values, object, Answer>, 'done' | 'record' | 'reread'> & {
  /** Where orders of this kind are found. */
  readonly path: string
}

/** Makes an order, and leads to it. */
export function NewOrder<Values extends object, Answer extends { readonly id: string; readonly number: string }>({
  path,
  ...props
}: NewProps<Values, Answer>) {
  const navigate = useNavigate()
  return (
    <Step
      submitLabel="Create"
      size="lg"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: `${path}/${id}` as string })}
      {...props}
    />
  )
}

type Props<Values extends { items: OrderLine[] }> = {
  readonly form: UseFormReturnType<Values>
  readonly of: 'is_sellable' | 'is_purchasable'
  /** Which price holds where none is typed; without it lines have no price. */
  readonly usualPrice?: string
  /** The choice of a line's unit. */
  readonly unit?: (index: number) => ReactNode
  /** What is said below a line, beside when it can be delivered. */
  readonly says?: (index: number) => ReactNode
  /** Told when a line's quantity is typed. */
  readonly onQuantity?: (index: number) => void
}

export function OrderLineFields<Values extends { items: OrderLine[] }>(props: Props<Values>) {
  const { form, of, usualPrice, unit, says, onQuantity } = props
  return (
    <Fieldset legend="Lines">
      <Stack gap="xs">
        {form.values.items.map((line, index) => {
          const quantity = form.getInputProps(`items.${index}.quantity`)
          return (
            <div key={line.key}>
              <Group gap="xs" align="flex-end">
                <div style={{ flex: '1 1 220px' }}>
                  <VariantPicker label="Product" required of={of} {...form.getInputProps(`items.${index}.variant`)} />
                </div>
                <DecimalInput
                  label="Quantity"
                  w={90}
                  {...quantity}
                  onChange={event => {
                    onQuantity?.(index)
                    quantity.onChange(event)
                  }}
                />
                {unit?.(index)}
                {usualPrice !== undefined && (
                  <DecimalInput
                    label="Price"
                    placeholder={usualPrice}
                    w={116}
                    {...form.getInputProps(`items.${index}.price`)}
                  />
                )}
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
              {of === 'is_sellable' && <WhenThere line={line} />}
              {says?.(index)}
            </div>
          )
        })}
        <Group>
          <Button variant="subtle" size="xs" onClick={() => form.insertListItem('items', orderLine() as never)}>
            Add a line
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

/** Of what is held a promise would say that it is gone: it counts holds as demand. */
function WhenThere({ line }: { readonly line: OrderLine }) {
  const held = heldOf(line)
  return held === null ? (
    <Promised variant={line.variant} quantity={line.quantity} />
  ) : (
    <Text size="xs" c="dimmed">
      {quantityText(held.quantity)} held at <PlaceTitle id={held.placeId} />
    </Text>
  )
}
