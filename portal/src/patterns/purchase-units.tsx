/** Purchase units: goods that are bought by the box are counted in boxes or in stock units. */
import { Select } from '@mantine/core'
import { type Decimal, forTyping, quotient, timesRounded, typed } from '../exact.ts'
import { quantityText } from '../format.tsx'

export type PurchaseUnit = {
  readonly name: string | null
  /** How many stock units are in one. */
  readonly rate: Decimal
}

export type CountedIn = 'PURCHASE' | 'STOCK'

export const unitTitle = ({ name, rate }: PurchaseUnit): string => name ?? `unit of ${quantityText(rate)}`

/** The same quantity in the other unit; empty if no number of purchase units is exactly equal. */
export function recounted(input: string, { rate }: PurchaseUnit, into: CountedIn): string {
  const value = typed(input)
  if (value === null) return input
  const other = into === 'STOCK' ? timesRounded(value, rate) : quotient(value, rate)
  return other === null ? '' : forTyping(other)
}

type Props = {
  readonly unit: PurchaseUnit
  /** The product's own unit. */
  readonly stockUnit?: string | undefined
  readonly value: CountedIn
  readonly onChange: (value: CountedIn) => void
  readonly w?: number
}

export const UnitSelect = ({ unit, stockUnit = 'stock units', value, onChange, ...look }: Props) => (
  <Select
    {...look}
    label="Counted in"
    data={[
      { value: 'PURCHASE', label: unitTitle(unit) },
      { value: 'STOCK', label: stockUnit },
    ]}
    value={value}
    onChange={chosen => {
      if (chosen !== value && (chosen === 'PURCHASE' || chosen === 'STOCK')) onChange(chosen)
    }}
    allowDeselect={false}
  />
)
