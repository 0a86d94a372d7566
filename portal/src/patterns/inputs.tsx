/** Inputs that the components lack: exact decimals, and the records that are picked on many screens. */
import { TextInput, type TextInputProps } from '@mantine/core'
import type { Customer, Product } from '@millrace/client'
import { type Exact, isPositive, typed, typedHint } from '../exact.ts'
import { useApi } from '../session.tsx'
import { type Choice, Picker, type PickerProps, type Search } from './picker.tsx'
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

export type { Choice } from './picker.tsx'

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
    return data
      .filter(product => of === undefined || product[of])
      .map(product => ({ ...product, variants: product.variants.filter(({ archived }) => !archived) }))
      .flatMap(variantChoices)
  }
  return <Picker {...props} name={['products', String(of)]} search={search} />
}

export const variantChoices = ({ title, unit_name, batch_tracked, variants }: Exact<Product>): readonly Choice[] =>
  variants.map(variant => ({
    id: variant.id,
    label: variantTitle({ item_title: title, title: variant.title }),
    hint: variant.sku,
    unit: unit_name,
    batched: batch_tracked,
  }))
