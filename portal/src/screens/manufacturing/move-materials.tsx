/** The steps that issue more materials to a started manufacturing order, and take materials back. */
import { Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isPositive, negated, sent, sum, typed } from '../../exact.ts'
import { type Sending, Step } from '../../patterns/action-form.tsx'
import { AddLine } from '../../patterns/add-line.tsx'
import { BatchThere, readBatches } from '../../patterns/batches.tsx'
import { Cost } from '../../patterns/columns.tsx'
import { type Choice, DecimalInput, decimalRules, VariantPicker } from '../../patterns/inputs.tsx'
import { Parts, partAt, partTitle } from '../../patterns/parts.tsx'
import { fieldOfSent, leftRule, QuantityFields, type QuantityLine, sentLines } from '../../patterns/quantity-fields.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { Taking } from '../../patterns/taking.tsx'
import type { ManufacturingOrder as Order } from '../../records.ts'
import { useApi, useSession } from '../../session.tsx'
import { manufacturingOrders } from './nouns.ts'
import type { Movement } from './reads.ts'

type Props = { readonly order: Order; readonly movements: readonly Movement[] }

/** What was taken of each variant of the order, over all its lines. */
const takenOf = ({ items }: Order): Omit<QuantityLine, 'quantity'>[] =>
  [...Map.groupBy(items, item => item.item_variant_id)].map(([id, lines]) => ({
    id,
    item_variant_id: id,
    title: lines[0]?.title ?? '',
    left: sum(lines.map(({ actual_quantity }) => actual_quantity)),
  }))

/** What both steps say of an order, and how they send its lines. */
function useMaterialsStep(order: Order) {
  const { manufacturingOrders: orders } = useApi()
  const { id, number, actual_cost: before } = order
  const step = useStepsOf(manufacturingOrders, order, 'write:manufacturing.order.update')
  return {
    common: (verb: 'Issue' | 'Return', to: string, past: string) => ({
      ...step(`${verb} materials`, past),
      ...{ title: `${verb} materials ${to} ${number}`, submitLabel: verb, size: 'lg' },
      foretells: ({ actual_cost: after }: Order) => (
        <Text size="sm">
          The materials of the order have cost <Cost of={after.materials_cost} /> then,{' '}
          <Cost of={before.materials_cost} /> now.
        </Text>
      ),
    }),
    move: (date: string, items: Sent, sending: Sending) =>
      orders.materials(id, { date: date || undefined, items }, sending),
  }
}

type Sent = Parameters<ReturnType<typeof useApi>['manufacturingOrders']['materials']>[1]['items']

type IssueLine = QuantityLine & {
  /** Null until the person chooses it for an added line. */
  readonly variant: Choice | null
  readonly batch: string
}

const added = (): IssueLine => ({
  ...{ id: String(Math.random()), item_variant_id: '', title: '', left: '0', quantity: '' },
  ...{ variant: null, batch: '' },
})

function IssueMaterials({ order }: { readonly order: Order }) {
  const { id, number, manufacturing_location_id: place } = order
  const { common, move } = useMaterialsStep(order)
  return (
    <Step
      {...common('Issue', 'to', 'issued')}
      explains="More leaves the stock where the order is made, and its value goes into the order. All of it must be there."
      initial={() => ({
        date: '',
        items: takenOf(order).map(
          (line): IssueLine => ({
            ...{ ...line, left: '0', quantity: '', batch: '' },
            variant: { id: line.id, label: line.title },
          }),
        ),
      })}
      validate={{
        items: {
          variant: (variant, { items }, path) =>
            variant === null && !decimalRules.empty(items[Number(path.split('.')[1])]?.quantity ?? '')
              ? 'choose a product'
              : null,
          quantity: input => (decimalRules.empty(input) ? null : decimalRules.positive(input)),
        },
      }}
      fieldOf={(field, values) =>
        fieldOfSent(field, values)
          .replace(/\.item_variant_id$/, '.variant')
          .replace(/\.batch_id$/, '.batch')
      }
      fields={form => (
        <>
          {form.values.items.map(({ id: line, title, variant }, index) => {
            const part = partAt(form.values.items, index)
            const name = title || 'Another material'
            return (
              <Fieldset key={`${line} ${part}`} legend={partTitle(name, part)}>
                <SimpleGrid cols={{ base: 1, xs: title ? 2 : 3 }} verticalSpacing="xs">
                  {!title && (
                    <VariantPicker label="Product" required {...form.getInputProps(`items.${index}.variant`)} />
                  )}
                  <DecimalInput label="Quantity" {...form.getInputProps(`items.${index}.quantity`)} />
                  <BatchThere variantId={variant?.id} place={place} {...form.getInputProps(`items.${index}.batch`)}>
                    <Parts form={form} index={index} title={name} />
                  </BatchThere>
                </SimpleGrid>
              </Fieldset>
            )
          })}
          <AddLine onAdd={() => form.insertListItem('items', added())}>Add another material</AddLine>
          <Taking
            documentId={id}
            lines={form.values.items.flatMap(({ variant, batch, quantity }) =>
              // With a named batch the service takes only that batch, whatever else is in stock.
              variant === null || batch !== ''
                ? []
                : { variantId: variant.id, title: variant.label, place, quantity, own: '0' },
            )}
          />
          <TextInput type="date" label="Issued on (now if empty)" {...form.getInputProps('date')} />
        </>
      )}
      send={({ date, items }, sending) => {
        const lines = sentLines(items, 'item_variant_id', ({ variant, batch }) => ({
          ...{ item_variant_id: variant?.id ?? '', batch_id: batch || undefined },
        }))
        return move(date, lines, sending)
      }}
      done={() => `Issued to ${number}`}
    />
  )
}

type ReturnLine = QuantityLine & { readonly variant: string; readonly batch: string | null }

/** What may come back, by batch as far as the stock movements show it. */
function useReturnable({ order, movements }: Props): readonly ReturnLine[] {
  const session = useSession()
  const isMaterial = ({ kind }: Movement) => kind === 'MANUFACTURING_WRITE_OFF' || kind === 'MANUFACTURING_RETURN'
  const byBatch = Map.groupBy(movements.filter(isMaterial), ({ item_variant_id, batch_id }) =>
    [item_variant_id, ...(batch_id === null ? [] : [batch_id])].join(' '),
  )
  const ids = [...new Set(movements.filter(isMaterial).flatMap(({ batch_id }) => batch_id ?? []))]
  const { data: numbers } = useQuery({
    queryKey: ['batches', 'numbers', ...ids],
    queryFn: () => readBatches(session, ids),
    enabled: session.can('read:stock') && ids.length > 0,
  })
  return takenOf(order).flatMap(({ id: variant, title, left: taken }) => {
    const whole: ReturnLine = {
      ...{ id: variant, item_variant_id: variant, variant, batch: null },
      ...{ title, left: taken, quantity: '' },
    }
    const parts = [...byBatch].filter(([key]) => key.startsWith(`${variant} `))
    if (numbers === undefined || parts.length === 0) return isPositive(taken) ? [whole] : []
    return parts
      .map(([key, moved]): ReturnLine => {
        const batch = key.split(' ')[1] ?? ''
        const left = negated(sum(moved.map(({ quantity }) => quantity)))
        return { ...whole, id: key, batch, title: `${title}, batch ${numbers.get(batch) ?? batch}`, left }
      })
      .filter(({ left }) => isPositive(left))
  })
}

function ReturnMaterials(props: Props) {
  const lines = useReturnable(props)
  const { common, move } = useMaterialsStep(props.order)
  if (lines.length === 0) return null
  return (
    <Step
      {...common('Return', 'of', 'returned')}
      explains="What was not used comes back into the stock where the order is made, at what it cost on average, and leaves the order."
      initial={() => ({ date: '', items: [...lines] })}
      validate={{ items: { quantity: leftRule } }}
      fieldOf={fieldOfSent}
      fields={form => (
        <>
          <QuantityFields form={form} leftIs="Taken" />
          <TextInput type="date" label="Returned on (now if empty)" {...form.getInputProps('date')} />
        </>
      )}
      send={({ date, items }, sending) => {
        const back = sentLines(items, 'item_variant_id', ({ variant, batch, quantity }) => ({
          ...{ item_variant_id: variant, batch_id: batch ?? undefined },
          quantity: sent(negated(typed(quantity) ?? '0')),
        }))
        return move(date, back, sending)
      }}
      done={() => `Materials of ${props.order.number} are back in stock`}
    />
  )
}

export const MoveMaterials = (props: Props) => (
  <>
    <IssueMaterials order={props.order} />
    <ReturnMaterials {...props} />
  </>
)
