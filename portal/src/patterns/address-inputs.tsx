/** The texts of an address as forms call them, and their inputs. */
import { Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import type { InputsOf } from './record-fields.tsx'

export const placeAddress = {
  company: 'Company',
  line_1: 'Address line 1',
  line_2: 'Address line 2',
  zip: 'Postal code',
  city: 'Town',
  region: 'Region',
  country_code: 'Country code',
} as const

export const partnerAddress = { name: 'Name', ...placeAddress, phone: 'Phone' } as const

const TEXT_MAX = 255

const partLengthMax = (part: string): number => (part === 'country_code' ? 2 : TEXT_MAX)

type Props = {
  readonly label: string
  readonly parts: Readonly<Record<string, string>>
  readonly inputs: InputsOf
  readonly path: string
}

export const AddressInputs = ({ label, parts, inputs, path }: Props) => (
  <Fieldset legend={label} style={{ gridColumn: '1 / -1' }}>
    <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
      {Object.entries(parts).map(([part, text]) => (
        <TextInput key={part} label={text} maxLength={partLengthMax(part)} {...inputs(`${path}.${part}`)} />
      ))}
    </SimpleGrid>
  </Fieldset>
)
