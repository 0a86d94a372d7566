/** A file of records is taken in: which column is what, what would be refused, and what was made of it. */
import { Alert, Select, SimpleGrid, Switch, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { columnNames } from '../../../../imports/columns.ts'
import type { ImportKind } from '../../../../imports/kind.ts'
import { importKinds, kindOf } from '../../../../imports/kinds.ts'
import { type DecimalSign, signFaultText } from '../../../../imports/numbers.ts'
import { CsvError, type CsvRecord, csvReader, isEmptyRow, withoutEmptyLast } from '../../../../imports/records.ts'
import { recognisedShop, type ShopFormat, shopFormats } from '../../../../imports/shops.ts'
import { useFilters } from '../../patterns/filters.tsx'
import { usePlaces } from '../../patterns/places.tsx'
import { Screen } from '../../patterns/screen.tsx'
import { Section } from '../../patterns/section.tsx'
import { useSession } from '../../session.tsx'
import { NewPlace } from '../places/steps.tsx'
import { Columns } from './columns.tsx'
import { guessed, type Mapping, mappingFault, rowsOf, shopRecords, signOf } from './rows.ts'
import { Run } from './run.tsx'
import { FileSource, type Source } from './source.tsx'

const route = getRouteApi('/import')

export function Import() {
  const { search, filter } = useFilters(route)
  const kind = kindOf(search.kind)
  const { name } = kind
  const [source, setSource] = useState<Source | null>(null)
  const read = useMemo(() => (source === null ? null : recordsOf(source.text)), [source])
  return (
    <Screen title="Import">
      <Section title="File">
        <SimpleGrid cols={{ base: 1, sm: 2 }} p="sm" pt={4}>
          <Select
            label="What it holds"
            data={importKinds.map(({ name, title }) => ({ value: name, label: title }))}
            allowDeselect={false}
            {...filter('kind')}
            value={name}
            onChange={chosen => filter('kind').onChange(chosen ?? undefined)}
          />
          <FileSource onChange={setSource} />
        </SimpleGrid>
        <Text size="sm" c="dimmed" px="sm" pb="sm">
          CSV in UTF-8, the names of the columns in its first line: {columnNames(kind.columns).join(', ')}. The command{' '}
          <code>millrace import</code> takes the same files. A line that was imported within the last 30 days is not
          made again.
          {kind.name === 'products' &&
            ' Lines that repeat an external_ref are variants of one product. With a quantity a line also books opening stock, once. Exports of Shopify and WooCommerce are read as they are.'}
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
    </Screen>
  )
}

/** A file with more lines than this is refused. */
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

/** The person can choose the shop of the export. The header suggests one. */
function Read({ kind, records, source }: ReadProps) {
  const [shop, setShop] = useState<ShopFormat | null>(() =>
    kind.name === 'products' ? recognisedShop(records[0]?.cells ?? []) : null,
  )
  const table = useMemo(() => (shop === null ? records : shopRecords(records, shop)), [records, shop])
  return (
    <>
      {kind.name === 'products' && (
        <Select
          label="Whose columns it has"
          maw={320}
          data={[
            { value: OWN, label: 'Those named above' },
            { value: 'shopify', label: "Shopify's export of products" },
            { value: 'woocommerce', label: "WooCommerce's export of products" },
          ]}
          value={shop ?? OWN}
          onChange={chosen => setShop(shopFormats.find(format => format === chosen) ?? null)}
          allowDeselect={false}
        />
      )}
      {'fault' in table ? (
        <Alert role="alert" color="red" variant="outline" title="The file is not such an export">
          {table.fault}. Its header must be in English.
        </Alert>
      ) : (
        <ReadTable key={shop} kind={kind} records={table} shop={shop} source={source} />
      )}
    </>
  )
}

const OWN = 'own'

type TableProps = ReadProps & { readonly shop: ShopFormat | null }

function ReadTable({ kind, records, shop, source }: TableProps) {
  const { token } = useSession()
  const header = withoutEmptyLast(records[0]?.cells ?? [])
  const file = { kind: kind.name, header }
  const [mapping, setMapping] = useState<Mapping>(() => remembered(file) ?? guessed(header, kind))
  // Shopify's decimals always have a point.
  const [asked, setAsked] = useState<DecimalSign | null>(shop === 'shopify' ? 'point' : null)
  const [update, setUpdate] = useState(false)
  const found = useMemo(() => asked ?? signOf(records, { kind, mapping }), [asked, records, kind, mapping])
  const signFault = typeof found === 'object' ? found : null
  const sign = typeof found === 'object' ? 'point' : found
  const rows = useMemo(() => rowsOf(records, { kind, mapping, sign, update }), [records, kind, mapping, sign, update])
  const fault = mappingFault(mapping, kind, { update })
  const hasStock = mapping.includes('quantity') && (kind.name === 'products' || kind.name === 'opening-stock')
  const isWithoutPlace = usePlaces()?.length === 0 && hasStock
  return (
    <>
      <Columns
        kind={kind}
        header={header}
        rows={rows}
        mapping={mapping}
        onMapping={chosen => {
          setMapping(chosen)
          remember(file, chosen)
        }}
        sign={asked}
        onSign={setAsked}
      />
      {kind.updateScope !== undefined && (
        <Switch
          label="Change what is there"
          description="Records are found by external_ref, else by sku, and changed in the columns of the file. An empty cell leaves what is there."
          checked={update}
          onChange={event => setUpdate(event.currentTarget.checked)}
        />
      )}
      {isWithoutPlace && (
        <Alert color="orange" variant="outline" title="There is no storage place yet">
          <Text size="sm" mb="xs">
            What is imported now lies without a place, where later orders do not look for it. Make the place first.
          </Text>
          <NewPlace stays />
        </Alert>
      )}
      {signFault !== null && (
        <Alert role="alert" color="orange" variant="outline" title="How are decimals written?">
          The file cannot be imported before you choose above whether decimals are like 1.5 or like 1,5:{' '}
          {signFaultText(signFault)}.
        </Alert>
      )}
      {fault === null && signFault === null && (
        <Run
          key={JSON.stringify([mapping, sign, update])}
          token={token}
          kind={kind}
          columns={mapping}
          update={update}
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

const KEY = 'millrace.import.columns'
const FILES_MAX = 30

type Kept = { readonly file: string; readonly mapping: Mapping }
type File = { readonly kind: string; readonly header: readonly string[] }

const nameOf = ({ kind, header }: File): string => JSON.stringify([kind, ...header])

function all(): readonly Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** Null where no such file was imported before. */
function remembered(file: File): Mapping | null {
  const mapping = all().find(kept => kept?.file === nameOf(file))?.mapping
  return Array.isArray(mapping) && mapping.length === file.header.length ? mapping : null
}

function remember(file: File, mapping: Mapping): void {
  const others = all().filter(kept => kept?.file !== nameOf(file))
  try {
    localStorage.setItem(KEY, JSON.stringify([{ file: nameOf(file), mapping }, ...others].slice(0, FILES_MAX)))
  } catch {
    // A browser may keep nothing: columns are guessed again.
  }
}
