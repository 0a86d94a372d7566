/** The field of each column of a file: guessed by its name, and changed by the person. Below it the first lines are shown. */
import { Select, Table, Text } from '@mantine/core'
import { columnNames } from '../../../../imports/columns.ts'
import type { ImportKind } from '../../../../imports/kind.ts'
import type { DecimalSign } from '../../../../imports/numbers.ts'
import { quantityText } from '../../format.tsx'
import { Section } from '../../patterns/section.tsx'
import type { Mapping, Row } from './rows.ts'

const ROWS_SHOWN = 5
const LEFT_OUT = 'none'
const SHOWN = 'shown'

type Props = {
  readonly kind: ImportKind
  readonly header: readonly string[]
  readonly rows: readonly Row[]
  readonly mapping: Mapping
  readonly onMapping: (mapping: Mapping) => void
  /** The decimal sign that the person chose; null: the numbers show it. */
  readonly sign: DecimalSign | null
  readonly onSign: (sign: DecimalSign | null) => void
}

export function Columns({ kind, header, rows, mapping, onMapping, sign, onSign }: Props) {
  // Columns with the tenant's own names are chosen by those names.
  const fields = columnNames(kind.columns).filter(name => !name.endsWith('.*'))
  const columns = header.map((name, at) => ({ at, name: name || `Column ${at + 1}` }))
  const choose = (index: number, chosen: string | null) =>
    onMapping(mapping.map((name, at) => (at === index ? (chosen === LEFT_OUT ? null : chosen) : name)))
  return (
    <Section
      title="Columns"
      aside={
        <Select
          aria-label="Decimals are written with"
          size="xs"
          w={190}
          data={[
            { value: SHOWN, label: 'Decimals as they stand' },
            { value: 'point', label: 'Decimals like 1.5' },
            { value: 'comma', label: 'Decimals like 1,5' },
          ]}
          value={sign ?? SHOWN}
          onChange={chosen => onSign(chosen === 'comma' || chosen === 'point' ? chosen : null)}
          allowDeselect={false}
        />
      }
    >
      <Table.ScrollContainer
        minWidth={header.length * 150}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Columns' } }}
      >
        <Table aria-label="Columns">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ at, name }) => (
                <Table.Th key={at}>
                  <Select
                    label={name}
                    size="xs"
                    searchable
                    data={[{ value: LEFT_OUT, label: '– left out –' }, ...fields, ...ownIn(fields, mapping[at])]}
                    value={mapping[at] ?? LEFT_OUT}
                    onChange={chosen => choose(at, chosen)}
                    allowDeselect={false}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, ROWS_SHOWN).map(({ line, cells }) => (
              <Table.Tr key={line}>
                {columns.map(({ at }) => (
                  <Table.Td key={at} {...(mapping[at] === null ? { c: 'dimmed' } : {})}>
                    {cells[at]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" c="dimmed" p="sm">
        {quantityText(`${rows.length}`)} lines
        {rows.length > ROWS_SHOWN && `, of which the first ${ROWS_SHOWN} are shown`}
      </Text>
    </Section>
  )
}

/** The column itself, if it has a name of the tenant's own. */
const ownIn = (fields: readonly string[], name: string | null | undefined): readonly string[] =>
  name == null || fields.includes(name) ? [] : [name]
