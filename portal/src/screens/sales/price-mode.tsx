/** The price mode of a sales order and the rounding of its taxes: chosen for a new order, and shown afterwards. */
import { Checkbox, Fieldset, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { field } from '../../patterns/fields.tsx'
import { RecordFields, type ValuesOf, valuesOf } from '../../patterns/record-fields.tsx'

export const roundings = { LINE: 'On each line', ORDER: 'Once for each rate' } as const
export const roundingModes = { HALF_UP: 'To the nearest', DOWN: 'Down', UP: 'Up' } as const

const rounded = {
  tax_rounding: field.choice('Taxes are rounded', roundings),
  tax_rounding_mode: field.choice('Rounded how', roundingModes),
}

export type PriceMode = { prices_include_tax: boolean } & ValuesOf<typeof rounded>

export const priceModeOf = (order?: PriceMode): PriceMode => ({
  prices_include_tax: order?.prices_include_tax ?? false,
  ...valuesOf(rounded, order),
})

type Props = {
  readonly form: { readonly getInputProps: unknown }
  /** Called when the price mode changes. */
  readonly onInclude: (isWith: boolean) => void
  readonly value: PriceMode
  readonly children?: ReactNode
}

/** Only sent for a new order, because an order keeps them. */
export const sentPriceMode = ({ prices_include_tax, tax_rounding, tax_rounding_mode }: PriceMode) => ({
  ...{ prices_include_tax, tax_rounding, tax_rounding_mode },
})

export const PriceModeFields = ({ form, value, onInclude, children }: Props) => (
  <Fieldset legend="Prices and taxes" p="xs">
    <Checkbox
      label="Prices are with tax"
      mb="xs"
      checked={value.prices_include_tax}
      onChange={event => onInclude(event.currentTarget.checked)}
    />
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {children}
      <RecordFields form={form} fields={rounded} isStacked />
    </SimpleGrid>
  </Fieldset>
)
