/** What a sales order costs beside its goods, in its form. */
import { ActionIcon, Fieldset, Group, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Cross2Icon } from '@radix-ui/react-icons'
import { type Decimal, forTyping, sentTyped, sentUnlessEmpty } from '../exact.ts'
import { AddLine } from './add-line.tsx'
import { DecimalInput, decimalRules } from './inputs.tsx'

export type Charge = {
  readonly key: string
  readonly title: string
  readonly amount: string
  readonly tax_rate: string
}

type Values = { charges: Charge[] }

const CHARGES_MAX = 50

export const chargeOf = (charge: {
  readonly id: string
  readonly title: string
  readonly amount: Decimal
  readonly tax_rate: Decimal
}): Charge => ({
  key: charge.id,
  title: charge.title,
  amount: forTyping(charge.amount),
  tax_rate: forTyping(charge.tax_rate),
})

export const chargeRules = {
  title: (title: string) => (title.trim() === '' ? 'what it is for' : null),
  amount: decimalRules.zeroOrMore,
  tax_rate: (input: string) => (decimalRules.empty(input) ? null : decimalRules.zeroOrMore(input)),
}

/** A change replaces all of them; undefined where nothing changed. */
export const sentCharges = (before: readonly Charge[], now: readonly Charge[]) =>
  JSON.stringify(before) === JSON.stringify(now)
    ? undefined
    : now.map(({ title, amount, tax_rate }) => ({
        title: title.trim(),
        amount: sentTyped(amount),
        tax_rate: sentUnlessEmpty(tax_rate),
      }))

type Props<Has extends Values> = {
  readonly form: UseFormReturnType<Has>
  /** What a new charge begins with. */
  readonly tax: string
}

export function ChargeFields<Has extends Values>({ form: given, tax }: Props<Has>) {
  // The library cannot follow paths of values that are not known.
  const form = given as unknown as UseFormReturnType<Values>
  const { charges } = form.values
  return (
    <Fieldset legend="Charges, such as shipping" p="xs">
      <Stack gap="xs">
        {charges.map(({ key }, index) => (
          <Group key={key} gap="xs" align="flex-end">
            <TextInput
              label="For"
              style={{ flex: '1 1 160px' }}
              maxLength={255}
              withAsterisk
              {...form.getInputProps(`charges.${index}.title`)}
            />
            <DecimalInput label="Amount" w={110} withAsterisk {...form.getInputProps(`charges.${index}.amount`)} />
            <DecimalInput label="Its tax, %" w={90} {...form.getInputProps(`charges.${index}.tax_rate`)} />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={`Remove charge ${index + 1}`}
              onClick={() => form.removeListItem('charges', index)}
            >
              <Cross2Icon aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <AddLine
            disabled={charges.length >= CHARGES_MAX}
            onAdd={() =>
              form.insertListItem('charges', { key: String(Math.random()), title: '', amount: '', tax_rate: tax })
            }
          >
            Add a charge
          </AddLine>
        </Group>
      </Stack>
    </Fieldset>
  )
}
