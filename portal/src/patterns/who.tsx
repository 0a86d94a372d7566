/** Who made and last changed a record, and the names and texts that its owner keeps with it. */
import { Table } from '@mantine/core'
import { Section } from './section.tsx'

/** Pairs of a name and a value. */
type Fact = readonly [name: string, value: string | null]

/** What every record with a reference of its own shows. */
export type Recorded = {
  readonly created_by_user_name: string | null
  readonly updated_by_user_name: string | null
  readonly metadata: Readonly<Record<string, string>>
}

export const whoFacts = (of: Recorded): readonly Fact[] => [
  ['Created by', of.created_by_user_name],
  ['Last changed by', of.updated_by_user_name],
]

export function Metadata({ of: { metadata } }: { readonly of: Recorded }) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Section title="Metadata">
      <Table aria-label="Metadata">
        <Table.Tbody>
          {entries.map(([name, text]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
