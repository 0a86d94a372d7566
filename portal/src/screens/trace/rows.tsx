/** The rows of a trace as a table and as a file. */
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { dayText, quantityText, Status, words } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { usePlaceTitle } from '../../patterns/places.ts'
import type { Row } from './graph.ts'
import type { Trace } from './trace.tsx'
import { What } from './what.tsx'

export const kindText = (kind: Row['kind']): string => words(kind)

type Shown = Row & { readonly at: number; readonly place: string }

const column = columnsOf<Shown>()
const columns = column.columns([
  column.accessor('level', { header: 'Level', meta: { align: 'right' } }),
  column.accessor('kind', { header: 'What happened', cell: ({ getValue }) => <Status code={getValue()} /> }),
  column.accessor('quantity', {
    header: 'Quantity',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
  column.accessor('batch_number', {
    header: 'Batch',
    cell: ({ row: { original } }) =>
      original.batch_id === null ? (
        '–'
      ) : (
        <Link className="row-link" to="/trace/$batchId" params={{ batchId: original.batch_id }}>
          {original.batch_number}
        </Link>
      ),
  }),
  column.accessor('title', { header: 'What', cell: ({ row: { original } }) => <What {...original} /> }),
  column.accessor('source_number', {
    header: 'With',
    cell: ({ row: { original } }) =>
      original.source_type === null ? (
        '–'
      ) : (
        <>
          {original.source_number}
          <Text span size="xs" c="dimmed" display="block">
            {words(original.source_type)}
          </Text>
        </>
      ),
  }),
  column.accessor(({ partner }) => partner?.title ?? '–', { id: 'partner', header: 'Customer or supplier' }),
  column.accessor('place', { header: 'Place' }),
  column.accessor('document_date', { header: 'Date', cell: ({ getValue }) => dayText(getValue()) }),
])

export function TraceRows({ label, trace }: { readonly label: string; readonly trace: Trace }) {
  const placeTitle = usePlaceTitle()
  const rows = trace.rows.map((row, at) => ({ ...row, at, place: placeTitle(row.storage_place_id) }))
  return <DataTable label={label} columns={columns} rows={rows} rowId={({ at }) => String(at)} />
}

const FIELDS = [
  'level',
  'kind',
  'quantity',
  'batch_number',
  'sku',
  'title',
  'source_type',
  'source_number',
  'document_date',
] as const

/** Named and written as the interface does: what reads it may be a program. */
export const traceCsv = (trace: Trace, placeTitle: (id: string | null) => string) => [
  [...FIELDS, 'storage_place', 'partner', 'partner_country'],
  ...trace.rows.map(row => [
    ...FIELDS.map(name => row[name]),
    row.storage_place_id === null ? null : placeTitle(row.storage_place_id),
    row.partner?.title ?? null,
    row.partner?.country_code ?? null,
  ]),
]
