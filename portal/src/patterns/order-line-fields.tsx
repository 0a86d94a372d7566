/** The fields of one line of an order; drawn again only when something of the line itself changed, as orders are long. */
import { Checkbox, Fieldset, Group, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { memo, type ReactNode } from 'react'
import { isPositive, times, typed } from '../exact.ts'
import { quantityText } from '../format.tsx'
import { RemoveLine } from './add-line.tsx'
import { DecimalInput, VariantPicker } from './inputs.tsx'
import { type Bought, heldOf, type OrderKind, type OrderLine } from './order-line.ts'
import { type Foretold, flex, PriceFields, type Sold } from './order-line-price.tsx'
import { PlaceSelect, PlaceTitle } from './places.tsx'
import { Promised } from './promised.tsx'
import { recounted, UnitSelect, unitTitle } from './purchase-units.tsx'
import { TaxFields } from './taxes.tsx'

type LineProps = {
  readonly form: UseFormReturnType<{ items: OrderLine[] }>
  readonly kind: OrderKind
  readonly index: number
  readonly line: OrderLine
  readonly errors: Readonly<Record<string, ReactNode>>
  /** The rate if none is typed. */
  readonly tax: string
  readonly isOnly: boolean
  readonly hasPlaces: boolean
  readonly hasBatch: boolean
  readonly bought: Bought | null
  readonly sold?: Sold | undefined
  readonly foretold?: Foretold | undefined
}

/** A bought line may be in the supplier's unit, which is chosen beside the quantity. */
const unitOf = ({ unit, variant }: OrderLine, kind: OrderKind): string | undefined =>
  unit ?? (kind === 'PURCHASE' ? undefined : variant?.unit)

const quantityLabel = (line: OrderLine, kind: OrderKind): string =>
  `${['Quantity', unitOf(line, kind)].filter(Boolean).join(', ')}${isPositive(line.done) ? `, ${quantityText(line.done)} ${kind === 'SALE' ? 'shipped' : 'received'}` : ''}`

function Fields(props: LineProps) {
  const { form, kind, index, line, tax, isOnly, hasPlaces, hasBatch, bought, sold } = props
  const { id, variant } = line
  const at = `items.${index}`
  const input = (name: keyof OrderLine & string) => form.getInputProps(`${at}.${name}`)
  const quantity = input('quantity')
  return (
    <Fieldset legend={id === null ? `New line ${index + 1}` : variant?.label} p="xs">
      <Group gap="xs" align="flex-end">
        {line.title !== null && (
          <TextInput label="Name" style={{ flex: '1 1 200px' }} maxLength={255} withAsterisk {...input('title')} />
        )}
        {id === null && line.title === null && (
          <div style={{ flex: '1 1 170px' }}>
            <VariantPicker
              label="Product"
              required
              of={kind === 'PURCHASE' ? 'is_purchasable' : 'is_sellable'}
              {...input('variant')}
            />
          </div>
        )}
        <DecimalInput
          {...flex(80)}
          label={quantityLabel(line, kind)}
          withAsterisk
          {...quantity}
          onChange={event => {
            if (bought) form.setFieldValue(`${at}.counted`, bought.typedIn ? 'PURCHASE' : 'STOCK')
            quantity.onChange(event)
          }}
        />
        {bought?.unit && <Counted {...props} bought={bought} />}
        {kind !== 'HOLD' && <PriceFields {...props} form={form as never} />}
        {kind === 'SALE' && hasPlaces && line.title === null && (
          <div {...flex(110)}>
            <PlaceSelect
              label="From"
              of="sales_allowed"
              withNone
              placeholder="The main place"
              required={id !== null}
              value={line.storage_place_id}
              error={props.errors[`${at}.storage_place_id`]}
              onChange={place => form.setFieldValue(`${at}.storage_place_id`, place ?? '')}
            />
          </div>
        )}
        {kind === 'PURCHASE' && (
          <>
            <TextInput {...flex(120)} type="date" label="Line expected" {...input('expected_date')} />
            {hasBatch && <TextInput {...flex(100)} label="Batch" maxLength={64} {...input('batch_number')} />}
            {hasBatch && <TextInput {...flex(120)} type="date" label="Expires" {...input('expiry_date')} />}
          </>
        )}
        {id === null ? (
          <RemoveLine
            what={`line ${index + 1}`}
            disabled={isOnly}
            onRemove={() => form.removeListItem('items', index)}
          />
        ) : (
          <Checkbox label="Remove the line" pb={8} {...form.getInputProps(`${at}.remove`, { type: 'checkbox' })} />
        )}
      </Group>
      {sold?.mayHaveTaxes && (
        <TaxFields
          of={`line ${index + 1}`}
          path={`${at}.taxes`}
          taxes={line.taxes}
          rate={line.tax_rate ?? tax}
          form={form as never}
        />
      )}
      <Below {...props} />
    </Fieldset>
  )
}

/** The component is drawn again only if this text changes. */
const told = ({ form: _form, ...props }: LineProps) => JSON.stringify(props)

export const LineFields = memo(Fields, (before, now) => told(before) === told(now))

function Counted({ form, index, line, bought }: LineProps & { readonly bought: Bought }) {
  if (!bought.unit) return null
  const { unit, typedIn } = bought
  return (
    <UnitSelect
      w={140}
      unit={unit}
      stockUnit={line.variant?.unit}
      value={typedIn ? 'PURCHASE' : 'STOCK'}
      onChange={counted => {
        if (line.counted !== null)
          form.setFieldValue(`items.${index}.quantity`, recounted(line.quantity, unit, counted))
        form.setFieldValue(`items.${index}.price`, '')
        form.setFieldValue(`items.${index}.counted`, counted)
      }}
    />
  )
}

/** The note below a new line: when it can be delivered, or the quantity in stock units. */
function Below({ kind, line, bought }: LineProps) {
  if (line.id !== null || line.title !== null) return null
  if (kind === 'PURCHASE') {
    const quantity = typed(line.quantity)
    if (!quantity || !bought?.typedIn) return null
    return (
      <Text size="xs" c="dimmed" role="status">
        {quantityText(times(quantity, bought.typedIn.rate))} {line.variant?.unit ?? 'stock units'}
        {bought.usually !== null && `, usually ${bought.usually} for one ${unitTitle(bought.typedIn)}`}
      </Text>
    )
  }
  // A held line shows its hold: a promise would count the hold as demand, and say that the goods are gone.
  const held = heldOf(line)
  return held === null ? (
    <Promised variant={line.variant} quantity={line.quantity} place={line.storage_place_id} />
  ) : (
    <Text size="xs" c="dimmed">
      {quantityText(held.quantity)} held at <PlaceTitle id={held.placeId} />
    </Text>
  )
}
