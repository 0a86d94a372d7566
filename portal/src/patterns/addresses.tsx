/** Addresses in the form of an envelope, and their inputs: the customer's address, another one, or none. */
import { Select, Text } from '@mantine/core'
import type { SalesOrder } from '@millrace/client'
import { orNull } from './changes.tsx'
import { AddressInputs, partnerAddress } from './fields.tsx'
import type { InputsOf } from './record-fields.tsx'

export type Address = NonNullable<SalesOrder['shipping_address']>

/** An address of a partner or, without name and phone, of a place. */
export type Written = Omit<Address, 'name' | 'phone'> & Partial<Pick<Address, 'name' | 'phone'>>

export function addressLines({ zip, city, ...of }: Written): string[] {
  const town = [zip, city].filter(Boolean).join(' ')
  const lines = [of.name, of.company, of.line_1, of.line_2, town, of.region, of.country_code, of.phone]
  return lines.flatMap(line => (line ? [line] : []))
}

/** Null if there is none, so that it is left out of the facts. */
export function addressOf(address: Address | null) {
  if (address === null) return null
  return addressLines(address).map(line => (
    <Text key={line} span size="sm" display="block" className="address">
      {line}
    </Text>
  ))
}

type Part = keyof typeof partnerAddress

const parts = Object.keys(partnerAddress) as Part[]

export type TypedAddress = { readonly is: 'CUSTOMER' | 'OTHER' | 'NONE' } & Readonly<Record<Part, string>>

const typedParts = (address: Address | null) =>
  Object.fromEntries(parts.map(name => [name, address?.[name] ?? ''])) as Record<Part, string>

/** @param address undefined in a new order: the customer's. */
export const typedAddress = (address: Address | null | undefined): TypedAddress => ({
  ...typedParts(address ?? null),
  is: address === undefined ? 'CUSTOMER' : address === null ? 'NONE' : 'OTHER',
})

/** The address for the request. The customer's is sent only once it is loaded. */
export function sentAddress(typed: TypedAddress, ofCustomer: Address | null | undefined) {
  if (typed.is === 'CUSTOMER') return ofCustomer
  const sent = Object.fromEntries(parts.map(name => [name, orNull(typed[name])])) as Record<Part, string | null>
  // An address has at least one of its fields.
  return typed.is === 'NONE' || Object.values(sent).every(part => part === null) ? null : sent
}

type Props = {
  readonly label: string
  readonly path: string
  readonly value: TypedAddress
  readonly onChange: (value: TypedAddress) => void
  /** Undefined: not loaded yet. */
  readonly ofCustomer: Address | null | undefined
  readonly inputs: InputsOf
}

export function AddressFields({ label, path, value, onChange, ofCustomer, inputs }: Props) {
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
          const isBegun = parts.some(name => value[name] !== '')
          // Another address usually differs from the customer's only in part, so it begins with the customer's.
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
        <AddressInputs label={`${label}: this address`} parts={partnerAddress} inputs={inputs} path={path} />
      )}
    </div>
  )
}
