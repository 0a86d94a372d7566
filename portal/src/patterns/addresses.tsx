/** Addresses as people write them on an envelope, and their fields: that of the customer, another one, or none. */
import { Fieldset, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { SalesOrder } from '@millrace/client'
import type { ReactNode } from 'react'
import { partLengthMax, partnerAddress } from './address-inputs.tsx'
import { orNull } from './changes.tsx'

export type Address = NonNullable<SalesOrder['shipping_address']>

/** Null for none, so that it is left out of facts. */
export function addressOf(address: Address | null) {
  if (address === null) return null
  const { name, line_1, line_2, zip, city, region, country_code, phone } = address
  const lines = [name, line_1, line_2, [zip, city].filter(Boolean).join(' '), region, country_code, phone]
  return lines.filter(Boolean).map(line => (
    <Text key={line} span size="sm" display="block" className="address">
      {line}
    </Text>
  ))
}

type Part = keyof typeof partnerAddress

const parts = Object.keys(partnerAddress) as Part[]

/** An address in a form. */
export type TypedAddress = { readonly is: 'CUSTOMER' | 'OTHER' | 'NONE' } & Readonly<Record<Part, string>>

const typedParts = (address: Address | null) =>
  Object.fromEntries(parts.map(part => [part, address?.[part] ?? ''])) as Record<Part, string>

/** @param address undefined in a new order: that of the customer. */
export const typedAddress = (address: Address | null | undefined): TypedAddress => ({
  ...typedParts(address ?? null),
  is: address === undefined ? 'CUSTOMER' : address === null ? 'NONE' : 'OTHER',
})

/** As it is sent; that of the customer only once it is known. */
export function sentAddress(typed: TypedAddress, ofCustomer: Address | null | undefined) {
  if (typed.is === 'CUSTOMER') return ofCustomer
  const sent = Object.fromEntries(parts.map(part => [part, orNull(typed[part])])) as Record<Part, string | null>
  // An address has at least one of its fields.
  return typed.is === 'NONE' || Object.values(sent).every(part => part === null) ? null : sent
}

type Props = {
  readonly label: string
  /** Where it stands in the form. */
  readonly path: string
  readonly value: TypedAddress
  readonly onChange: (value: TypedAddress) => void
  /** Undefined until it is known. */
  readonly ofCustomer: Address | null | undefined
  readonly errors: Readonly<Record<string, ReactNode>>
}

export function AddressFields({ label, path, value, onChange, ofCustomer, errors }: Props) {
  return (
    <div>
      <Select
        label={label}
        allowDeselect={false}
        data={[
          { value: 'CUSTOMER', label: "The customer's address" },
          { value: 'OTHER', label: 'This address' },
          { value: 'NONE', label: 'No address' },
        ]}
        value={value.is}
        onChange={is => {
          const isBegun = parts.some(part => value[part] !== '')
          // What is changed is mostly a part of that of the customer.
          const begun = is === 'OTHER' && !isBegun ? typedParts(ofCustomer ?? null) : value
          onChange({ ...value, ...begun, is: (is ?? 'NONE') as TypedAddress['is'] })
        }}
      />
      {value.is === 'CUSTOMER' && ofCustomer !== undefined && (
        <Text size="xs" c="dimmed" component="div" pt={4}>
          {addressOf(ofCustomer) ?? 'The customer has none.'}
        </Text>
      )}
      {value.is === 'OTHER' && (
        <Fieldset aria-label={`${label}: this address`} p="xs" mt={4}>
          <SimpleGrid cols={2} spacing="xs" verticalSpacing="xs">
            {parts.map(part => (
              <TextInput
                key={part}
                label={partnerAddress[part]}
                maxLength={partLengthMax(part)}
                data-path={`${path}.${part}`}
                error={errors[`${path}.${part}`]}
                value={value[part]}
                onChange={event => onChange({ ...value, [part]: event.currentTarget.value })}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      )}
    </div>
  )
}
