/** What a sales order costs beside its goods, in its form. */
import { Fieldset, Group, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Decimal, forTyping, sent, sentTyped, sentUnlessEmpty, typed, typedHint } from '../exact.ts'
import { AddLine, RemoveLine } from './add-line.tsx'
import { DecimalInput, decimalRules } from './inputs.tsx'
import type { Sold } from './order-line-price.tsx'
import {
  areWhole,
  sentTaxes,
  type Tax,
  type Taxed,
  TaxFields,
  type TypedTax,
  taxRules,
  taxWords,
  typedTaxes,
} from './taxes.tsx'

export type Charge = {
  readonly key: string
  readonly title: string
  /** In the price mode of the order; below 0 for a voucher. */
  readonly amount: string
  readonly tax_rate: string
  /** Replaces the rate if there are any. */
  readonly taxes: TypedTax[]
  readonly external_ref: string
  /** The taxes of an existing charge with their amounts. */
  readonly counted: readonly Tax[]
}

type Values = { charges: Charge[] }

const CHARGES_MAX = 50

type Shown = Taxed & {
  readonly id: string
  readonly title: string
  readonly amount: Decimal
  readonly amount_with_tax: Decimal
  readonly external_ref: string | null
}

export const chargeOf =
  (isWithTax: boolean) =>
  (charge: Shown): Charge => ({
    ...{ key: charge.id, title: charge.title, external_ref: charge.external_ref ?? '' },
    amount: forTyping(isWithTax ? charge.amount_with_tax : charge.amount),
    ...{ tax_rate: forTyping(charge.tax_rate), taxes: typedTaxes(charge.taxes), counted: charge.taxes },
  })

const newCharge = (tax_rate: string): Charge => ({
  ...{ key: String(Math.random()), title: '', amount: '', tax_rate, taxes: [], external_ref: '', counted: [] },
})

export const chargeRules = {
  title: (title: string) => (title.trim() === '' ? 'what it is for' : null),
  amount: (input: string) => (typed(input) === null ? typedHint : null),
  tax_rate: (input: string) => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)),
  taxes: taxRules,
}

export const isWholeCharge = ({ title, amount, tax_rate, taxes }: Charge): boolean =>
  [chargeRules.title(title), chargeRules.amount(amount), chargeRules.tax_rate(tax_rate)].every(rule => rule === null) &&
  areWhole(taxes)

type Charges = readonly Charge[]

/**
 * A change replaces all charges; undefined if nothing changed. The tax amounts of a charge with the same amount stay exactly as they were.
 */
export function sentCharges({ before, now, isWithTax }: { before: Charges; now: Charges; isWithTax: boolean }) {
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined
  const money = ({ amount, taxes }: Charge) => JSON.stringify([amount, taxes])
  return now.map(charge => {
    const { title, amount, tax_rate, taxes, external_ref, counted } = charge
    const was = before.find(({ key }) => key === charge.key)
    const taxed =
      taxes.length === 0
        ? { tax_rate: sentUnlessEmpty(tax_rate) }
        : { taxes: was && money(was) === money(charge) ? counted.map(sentTax) : sentTaxes(taxes) }
    return {
      title: title.trim(),
      ...(isWithTax ? { amount_with_tax: sentTyped(amount) } : { amount: sentTyped(amount) }),
      ...taxed,
      external_ref: external_ref.trim() || null,
    }
  })
}

const sentTax = ({ title, rate, amount }: Tax) => ({ title, rate: sent(rate), amount: sent(amount) })

type Props<Has extends Values> = {
  readonly form: UseFormReturnType<Has>
  readonly tax: string
  readonly sold: Sold
}

export function ChargeFields<Has extends Values>({ form: given, tax, sold }: Props<Has>) {
  // The library's types cannot follow paths of generic values.
  const form = given as unknown as UseFormReturnType<Values>
  const { charges } = form.values
  return (
    <Fieldset legend="Charges, such as shipping; below 0 a voucher" p="xs">
      <Stack gap="xs">
        {charges.map(({ key, taxes, tax_rate }, index) => {
          const input = (name: string) => form.getInputProps(`charges.${index}.${name}`)
          return (
            <div key={key}>
              <Group gap="xs" align="flex-end">
                <TextInput label="For" style={{ flex: '1 1 160px' }} maxLength={255} withAsterisk {...input('title')} />
                <DecimalInput label={`Amount ${taxWords(sold.isWithTax)}`} w={150} withAsterisk {...input('amount')} />
                {taxes.length === 0 && <DecimalInput label="Its tax, %" w={90} {...input('tax_rate')} />}
                <TextInput label="Its own id" w={130} maxLength={255} {...input('external_ref')} />
                <RemoveLine what={`charge ${index + 1}`} onRemove={() => form.removeListItem('charges', index)} />
              </Group>
              {sold.mayHaveTaxes && (
                <TaxFields
                  of={`charge ${index + 1}`}
                  path={`charges.${index}.taxes`}
                  taxes={taxes}
                  rate={tax_rate}
                  form={form as never}
                />
              )}
            </div>
          )
        })}
        <Group>
          <AddLine
            disabled={charges.length >= CHARGES_MAX}
            onAdd={() => form.insertListItem('charges', newCharge(tax))}
          >
            Add a charge
          </AddLine>
        </Group>
      </Stack>
    </Fieldset>
  )
}
