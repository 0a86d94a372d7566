/** The inputs of an address in a form. */
import { Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import type { InputsOf } from './record-fields.tsx'

/** Of a place. */
export const placeAddress = {
  line_1: 'First line',
  line_2: 'Second line',
  zip: 'Postal code',
  city: 'Town',
  region: 'State or province',
  country_code: 'Country, like DE',
} as const

/** Of a partner. */
export const partnerAddress = { name: 'Name', ...placeAddress, phone: 'Phone' } as const

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
        <TextInput
          key={part}
          label={text}
          maxLength={part === 'country_code' ? 2 : 255}
          {...inputs(`${path}.${part}`)}
        />
      ))}
    </SimpleGrid>
  </Fieldset>
)
