/** Taxes of lines and charges: the rate, or several by name, as they are shown, typed and sent. */
import { Group, Text, TextInput } from '@mantine/core'
import { type Decimal, forTyping, sentTyped, typed } from '../exact.ts'
import { moneyText, quantityText } from '../format.tsx'
import { AddLine, RemoveLine } from './add-line.tsx'
import { DecimalInput, decimalRules } from './inputs.tsx'

export type Tax = { readonly title: string; readonly rate: Decimal; readonly amount: Decimal }
export type Taxed = { readonly tax_rate: Decimal; readonly taxes: readonly Tax[] }

/** A typed tax. The service calculates its amount. */
export type TypedTax = { readonly key: string; readonly title: string; readonly rate: string }

const TAXES_MAX = 10

/** The name of an order's price mode. */
export const taxWords = (isWith: boolean) => (isWith ? 'with tax' : 'without tax')

/** The text `19 %`, or each tax with its name, its rate and its amount. */
export const taxTexts = ({ tax_rate, taxes }: Taxed, currency: string): readonly string[] =>
  taxes.length === 0
    ? [`${quantityText(tax_rate)} %`]
    : taxes.map(({ title, rate, amount }) => `${title} ${quantityText(rate)} %: ${moneyText(amount, currency)}`)

export const Taxes = ({ of, currency }: { readonly of: Taxed; readonly currency: string }) =>
  taxTexts(of, currency).map(text => (
    <Text key={text} span size="sm" display="block">
      {text}
    </Text>
  ))

export const typedTaxes = (taxes: readonly Pick<Tax, 'title' | 'rate'>[]): TypedTax[] =>
  taxes.map(({ title, rate }, index) => ({ key: `${index}`, title, rate: forTyping(rate) }))

export const sentTaxes = (taxes: readonly TypedTax[]) =>
  taxes.map(({ title, rate }) => ({ title: title.trim(), rate: sentTyped(rate) }))

export const taxRules = {
  title: (title: string) => (title.trim() === '' ? 'what it is called' : null),
  rate: decimalRules.zeroOrMore,
}

export const areWhole = (taxes: readonly TypedTax[]): boolean =>
  taxes.every(({ title, rate }) => taxRules.title(title) === null && taxRules.rate(rate) === null)

type Props = {
  /** What is taxed, for screen readers. */
  readonly of: string
  /** The path of the taxes in the form: `items.0.taxes`. */
  readonly path: string
  readonly taxes: readonly TypedTax[]
  /** The rate of the first tax. */
  readonly rate: string
  readonly form: {
    readonly getInputProps: (path: string) => object
    readonly insertListItem: (path: string, tax: TypedTax) => void
    readonly removeListItem: (path: string, index: number) => void
  }
}

const named = {
  style: { flex: '1 1 140px', maxWidth: 280 },
  maxLength: 255,
  placeholder: 'Its name',
  withAsterisk: true,
}

/** The taxes of a line or charge; without any its rate counts. */
export function TaxFields({ of, path, taxes, rate, form }: Props) {
  return (
    <>
      {taxes.map(({ key }, index) => {
        const input = (name: string) => form.getInputProps(`${path}.${index}.${name}`)
        return (
          <Group key={key} gap="xs" mt="xs" align="flex-end">
            <TextInput label={`Tax ${index + 1}`} {...named} {...input('title')} />
            <DecimalInput label="Rate, %" w={90} withAsterisk {...input('rate')} />
            <RemoveLine what={`tax ${index + 1} of ${of}`} onRemove={() => form.removeListItem(path, index)} />
          </Group>
        )
      })}
      {taxes.length < TAXES_MAX && (
        <AddLine
          aria-label={taxes.length === 0 ? `Several taxes on ${of}` : `Another tax on ${of}`}
          onAdd={() =>
            form.insertListItem(path, {
              ...{ key: String(Math.random()), title: '' },
              rate: taxes.length === 0 && typed(rate) !== null ? rate : '',
            })
          }
        >
          {taxes.length === 0 ? 'Several taxes' : 'Another tax'}
        </AddLine>
      )}
    </>
  )
}
