/** A file of records is taken in: which column is what, what would be refused, and what was made of it. */
import { Alert, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Millrace } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type DecimalSign, signFaultText } from '../../../../csv/numbers.ts'
import { CsvError, type CsvRecord, csvReader, isEmptyRow, withoutEmptyLast } from '../../../../csv/records.ts'
import { useFilters } from '../../patterns/filters.tsx'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { Columns } from './columns.tsx'
import { type ImportKind, importKinds, isKind, type KindName } from './kinds.ts'
import { guessed, type Mapping, mappingFault, rowsOf, signOf } from './rows.ts'
import { Run } from './run.tsx'
import { FileSource, type Source } from './source.tsx'

const route = getRouteApi('/import')

export function Import() {
  const { search, filter } = useFilters(route)
  const asked: string | undefined = search.kind
  const name: KindName = isKind(asked) ? asked : 'products'
  const kind: ImportKind = importKinds[name]
  const [source, setSource] = useState<Source | null>(null)
  const read = useMemo(() => (source === null ? null : recordsOf(source.text)), [source])
  return (
    <Stack gap="md">
      <title>Import · Millrace</title>
      <Title order={1}>Import</Title>
      <Section title="File">
        <SimpleGrid cols={{ base: 1, sm: 2 }} p="sm" pt={4}>
          <Select
            label="What it holds"
            data={Object.entries(importKinds).map(([value, { title }]) => ({ value, label: title }))}
            allowDeselect={false}
            {...filter('kind')}
            value={name}
            onChange={chosen => filter('kind').onChange(chosen ?? undefined)}
          />
          <FileSource onChange={setSource} />
        </SimpleGrid>
        <Text size="sm" c="dimmed" px="sm" pb="sm">
          CSV in UTF-8, the names of the columns in its first line: {Object.keys(kind.columns).join(', ')}. The command{' '}
          <code>millrace import</code> takes the same files. A line that was imported within the last 30 days is not
          made again.
        </Text>
      </Section>
      {read instanceof CsvError && (
        <Alert role="alert" color="red" variant="outline" title="The file cannot be read">
          Line {read.line}: {read.message}.
        </Alert>
      )}
      {source && read && !(read instanceof CsvError) && (
        <Read key={`${name} ${source.key}`} kind={kind} records={read} source={source} />
      )}
    </Stack>
  )
}

/** More are not looked at in one page. */
const LINES_MAX = 20_000

function recordsOf(text: string): readonly CsvRecord[] | CsvError {
  try {
    const reader = csvReader()
    const records = [...reader.read(text), ...reader.end()].filter(record => !isEmptyRow(record))
    if (records.length < 2) return new CsvError(1, 'there is no line below the header')
    if (records.length > LINES_MAX + 1)
      return new CsvError(LINES_MAX + 2, `the page takes ${LINES_MAX} lines at once: split the file`)
    return records
  } catch (error) {
    if (error instanceof CsvError) return error
    throw error
  }
}

type ReadProps = { readonly kind: ImportKind; readonly records: readonly CsvRecord[]; readonly source: Source }

function Read({ kind, records, source }: ReadProps) {
  const { token } = useSession()
  const header = withoutEmptyLast(records[0]?.cells ?? [])
  const [mapping, setMapping] = useState<Mapping>(() => guessed(header, kind))
  const [asked, setAsked] = useState<DecimalSign | null>(null)
  const found = useMemo(() => asked ?? signOf(records, { kind, mapping }), [asked, records, kind, mapping])
  const signFault = typeof found === 'object' ? found : null
  const sign = typeof found === 'object' ? 'point' : found
  const rows = useMemo(() => rowsOf(records, { kind, mapping, sign }), [records, kind, mapping, sign])
  const client = useMemo(() => new Millrace({ baseUrl: '', token }), [token])
  const fault = mappingFault(mapping, kind)
  return (
    <>
      <Columns
        kind={kind}
        header={header}
        rows={rows}
        mapping={mapping}
        onMapping={setMapping}
        sign={asked}
        onSign={setAsked}
      />
      {signFault !== null && (
        <Alert role="alert" color="orange" variant="outline" title="How are decimals written?">
          The file cannot be imported before you choose above whether decimals are like 1.5 or like 1,5:{' '}
          {signFaultText(signFault)}.
        </Alert>
      )}
      {fault === null && signFault === null && (
        <Run
          key={JSON.stringify([mapping, sign])}
          client={client}
          kind={kind}
          rows={rows}
          header={header}
          name={source.name}
        />
      )}
      {fault !== null && (
        <Alert role="alert" color="orange" variant="outline" title="One thing is missing">
          {fault}
        </Alert>
      )}
    </>
  )
}
