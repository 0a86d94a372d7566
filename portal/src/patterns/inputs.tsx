/** Inputs that the components lack: exact decimals, and records that are looked for on the server. */
import { CloseButton, Combobox, Loader, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Customer, Product } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Exact, isPositive, typed, typedHint } from '../exact.ts'
import { useApi } from '../session.tsx'
import { failureText } from './failure.tsx'
import { variantTitle } from './titles.ts'

/** A number as text, in the browser's format: an input of numbers would turn it into binary floating point. */
export const DecimalInput = (props: TextInputProps) => <TextInput inputMode="decimal" autoComplete="off" {...props} />

/** Rules of forms for it; `typed` (exact.ts) reads what passed. */
export const decimalRules = {
  positive: (input: string) => {
    const value = typed(input)
    return value === null ? typedHint : isPositive(value) ? null : 'must be greater than 0'
  },
  zeroOrMore: (input: string) => {
    const value = typed(input)
    return value === null ? typedHint : value.startsWith('-') ? 'must be 0 or more' : null
  },
  empty: (input: string) => input.trim() === '',
} as const

/** A rule of forms for the code of a currency. */
export const currencyRule = (input: string) => (/^[a-z]{3}$/i.test(input.trim()) ? null : 'a code like EUR')

export type Choice = {
  readonly id: string
  readonly label: string
  readonly hint?: string | null
  /** What a variant is counted in. */
  readonly unit?: string
}

type PickerProps = {
  readonly label: string
  readonly value?: Choice | null
  readonly onChange: (choice: Choice | null) => void
  readonly error?: unknown
  readonly required?: boolean
  /** Where the field stands in a form: a refusal is shown there. */
  readonly 'data-path'?: string
}

export type Partners = 'customers' | 'suppliers'

/** Customers or suppliers by a part of their title or e-mail. */
export function PartnerPicker({ of, ...props }: PickerProps & { readonly of: Partners }) {
  const api = useApi()
  const search: Search = async (q, signal) => {
    const { data } = await api[of].list({ q: q || undefined, archived: false, limit: 20 }, { signal })
    return data.map(partnerChoice)
  }
  return <Picker {...props} name={[of]} search={search} />
}

export const partnerChoice = ({ id, title, country_code }: Pick<Exact<Customer>, 'id' | 'title' | 'country_code'>) => ({
  id,
  label: title,
  hint: country_code,
})

/** What a variant must be good for. */
export type Use = 'is_sellable' | 'is_purchasable' | 'is_producible'

/** Variants by a part of a title, sku or barcode; of any use unless told. */
export function VariantPicker({ of, ...props }: PickerProps & { readonly of?: Use | undefined }) {
  const api = useApi()
  const search: Search = async (q, signal) => {
    const { data } = await api.products.list({ q: q || undefined, archived: false, limit: 20 }, { signal })
    return data.filter(product => of === undefined || product[of]).flatMap(variantChoices)
  }
  return <Picker {...props} name={['products', String(of)]} search={search} />
}

const variantChoices = ({ title, unit_name, variants }: Exact<Product>): readonly Choice[] =>
  variants
    .filter(variant => !variant.archived)
    .map(variant => ({
      id: variant.id,
      label: variantTitle({ item_title: title, title: variant.title }),
      hint: variant.sku,
      unit: unit_name,
    }))

type Search = (q: string, signal: AbortSignal) => Promise<readonly Choice[]>

/** A choice among records that the server finds. */
function Picker(props: PickerProps & { readonly name: readonly string[]; readonly search: Search }) {
  const { name, search, label, value = null, onChange, error, required, 'data-path': path } = props
  const [text, setText] = useState<string | null>(null)
  const [q] = useDebouncedValue(text?.trim() ?? '', 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const found = useQuery({
    queryKey: [...name, 'picker', q],
    queryFn: ({ signal }) => search(q, signal),
    enabled: combobox.dropdownOpened,
  })
  const choose = (id: string) => {
    onChange(found.data?.find(choice => choice.id === id) ?? null)
    setText(null)
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target>
        <TextInput
          label={label}
          placeholder="Type to search"
          autoComplete="off"
          error={error as string}
          data-path={path}
          {...(required ? { withAsterisk: true } : {})}
          value={text ?? value?.label ?? ''}
          onChange={event => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => {
            setText(null)
            combobox.closeDropdown()
          }}
          rightSection={
            found.isFetching ? (
              <Loader role="progressbar" size="xs" aria-label="Searching" />
            ) : value && !required ? (
              <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => onChange(null)} />
            ) : null
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!found.data && !found.error}>
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {found.data?.map(choice => (
            <Combobox.Option key={choice.id} value={choice.id}>
              {choice.label} {choice.hint && <small>{choice.hint}</small>}
            </Combobox.Option>
          ))}
          {found.data?.length === 0 && <Combobox.Empty>Nothing found</Combobox.Empty>}
          {found.error && <Combobox.Empty>{failureText(found.error)}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
