/** The price of an order's line in its form: price, discounts and tax rate. */
import { Text } from '@mantine/core'
import { DecimalInput } from './inputs.tsx'
import type { OrderKind, OrderLine } from './order-line.ts'
import { Small } from './small.tsx'
import { taxWords } from './taxes.tsx'

export type Sold = { readonly isWithTax: boolean; readonly mayHaveTaxes: boolean }

/** Fields of a row with free space stay small. */
export const flex = (px: number) => ({ style: { flex: `1 1 ${px}px`, maxWidth: px * 2 } })

type Props = {
  readonly form: { readonly getInputProps: (path: string) => object }
  readonly kind: OrderKind
  readonly index: number
  readonly line: OrderLine
  /** The rate if none is typed. */
  readonly tax: string
  readonly sold?: Sold | undefined
  readonly foretold?: Foretold | undefined
}

/** The service's price and amount of a typed line, as texts. Empty until they are known. */
export type Foretold = { readonly price: string; readonly amount: string }

export function PriceFields({ form, kind, index, line, tax, sold, foretold }: Props) {
  const { unit, taxes, tax_rate } = line
  const input = (name: string) => form.getInputProps(`items.${index}.${name}`)
  const label = sold ? `Price ${taxWords(sold.isWithTax)}` : 'Price'
  return (
    <>
      <DecimalInput
        {...flex(sold ? 120 : 90)}
        label={unit === null ? label : `${label}, ${unit}`}
        placeholder={foretold?.price || (kind === 'SALE' ? 'list price' : 'usual price')}
        {...input('price')}
      />
      <DecimalInput {...flex(70)} label="Discount, %" placeholder="0" {...input('discount_percent')} />
      {sold && <DecimalInput {...flex(80)} label="Money off" placeholder="0" {...input('discount_amount')} />}
      {taxes.length === 0 && (
        <DecimalInput {...flex(60)} label="Tax, %" {...input('tax_rate')} value={tax_rate ?? tax} />
      )}
      {sold && foretold && (
        <div {...flex(100)} className="numbers">
          <Small>Amount {taxWords(sold.isWithTax)}</Small>
          <Text fw={600} lh="36px">
            {foretold.amount || '–'}
          </Text>
        </div>
      )}
    </>
  )
}
