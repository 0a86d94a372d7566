/** Inputs that the component library lacks: exact decimals, and records that many screens choose. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { isPositive, typed, typedHint } from '../exact.ts'
import type { Customer, Product } from '../records.ts'
import { useApi, useSession } from '../session.tsx'
import { type Choice, Picker, type PickerProps, type Search } from './picker.tsx'
import { meaningOf, variantsIn } from './scans.ts'
import { variantTitle } from './titles.ts'
import { distance, NEAR, productsWith, variantsMeant } from './variants.ts'

/** A number as text, in the browser's format. An input of type number would turn it into binary floating point. */
export const DecimalInput = (props: TextInputProps) => <TextInput inputMode="decimal" autoComplete="off" {...props} />

/** Rules for decimals in forms. `typed` (exact.ts) reads what they accept. */
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

export const currencyRule = (input: string) => (/^[a-z]{3}$/i.test(input.trim()) ? null : 'a code like EUR')

export type { Choice } from './picker.tsx'

/** Replaces the id of a partner that the order makes. */
const NEW = ''

/** Whether the order makes the chosen partner. */
export const isNew = (choice: Choice | null): choice is Choice => choice?.id === NEW

export type Partners = 'customers' | 'suppliers'

type PartnerProps = PickerProps & {
  readonly of: Partners
  /** A typed name may be that of a new record. Then the last choice makes it. */
  readonly makes?: boolean
}

/** Customers or suppliers by a part of their title or e-mail. */
export function PartnerPicker({ of, makes = false, ...props }: PartnerProps) {
  const api = useApi()
  const search: Search = async (q, signal) => {
    const { data } = await api[of].list({ q: q || undefined, archived: false, limit: 20 }, { signal })
    const isThere = data.some(({ title }) => title.toLowerCase() === q.toLowerCase())
    const made = makes && q !== '' && !isThere ? [{ id: NEW, label: q, hint: 'is new: make it' }] : []
    return [...data.map(partnerChoice), ...made]
  }
  return <Picker {...props} name={[of]} search={search} />
}

export const partnerChoice = ({ id, title, country_code }: Pick<Customer, 'id' | 'title' | 'country_code'>) => ({
  id,
  label: title,
  hint: country_code,
})

export type Use = 'is_sellable' | 'is_purchasable' | 'is_producible' | 'is_part'

const lacksUse: Readonly<Record<Use, string>> = {
  is_sellable: 'is not sold',
  is_purchasable: 'is not bought',
  is_producible: 'is not made',
  is_part: 'is a kit',
}
/** A kit cannot be a component. */
const serves = (product: Product, use: Use): boolean => (use === 'is_part' ? product.type !== 'KIT' : product[use])

const asked = { archived: false, limit: 20 } as const

/** Variants by a part of a title, sku or barcode. Matches of a whole sku or barcode, and of a scan, come first. By default for any use. */
export function VariantPicker({ of, ...props }: PickerProps & { readonly of?: Use | undefined }) {
  const { api, can } = useSession()
  const search: Search = async (q, signal) => {
    const [found, scan] = await Promise.all([
      productsWith(api, q, asked, { signal }),
      can('read:stock') ? meaningOf(api, q, { signal }) : null,
    ])
    const scanned = variantsIn(scan)
    const there = new Set(found.flatMap(({ variants }) => variants.map(({ id }) => id)))
    const others = scanned.filter(id => !there.has(id))
    const more =
      others.length > 0 ? (await api.products.list({ ...asked, item_variant_id: others }, { signal })).data : []
    const typed = { text: q, scanned }
    return [...found, ...more]
      .flatMap(product =>
        variantsMeant(product, typed).map(variant => ({ product, variant, far: distance(product, variant, typed) })),
      )
      .toSorted((one, other) => one.far - other.far)
      .flatMap(({ product, variant, far }): readonly Choice[] => {
        const choice = variantChoice(product, variant)
        if (of === undefined || serves(product, of)) return [choice]
        // The person typed the code of this variant, so another one must not be taken instead.
        return far < NEAR.title ? [{ ...choice, blocked: lacksUse[of] }] : []
      })
  }
  return <Picker {...props} name={['products', String(of)]} search={search} />
}

const variantChoice = ({ title, unit_name, batch_tracked, type }: Product, variant: Product['variants'][number]) => ({
  id: variant.id,
  label: variantTitle({ item_title: title, title: variant.title }),
  hint: variant.sku,
  unit: unit_name,
  batched: batch_tracked,
  isKit: type === 'KIT',
})

export const variantChoices = (product: Product): readonly Choice[] =>
  product.variants.map(variant => variantChoice(product, variant))
