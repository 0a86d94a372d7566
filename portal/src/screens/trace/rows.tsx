/** The rows of a trace as a table and as a file. */
import { words } from '../../format.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { DocumentLink } from '../../patterns/links.tsx'
import { Below } from '../../patterns/small.tsx'
import type { BatchTraceRow as Row, BatchTrace as Trace } from '../../records.ts'

export const kindText = (kind: Row['kind']): string => words(kind)

const columns: Columns<Row> = [
  column.figure('Level', ({ level }) => level),
  column.status('What happened', ({ kind }) => kind),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.batch('Batch', row => row),
  column.what('What', row => row),
  column.shown(
    'With',
    ({ source_type, source_id, source_number }) =>
      source_type !== null && (
        <>
          <DocumentLink kind={source_type} id={source_id ?? ''}>
            {source_number}
          </DocumentLink>
          <Below>{words(source_type)}</Below>
        </>
      ),
  ),
  column.shown('Customer or supplier', ({ partner }) => partner?.title),
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.day('Date', ({ document_date }) => document_date),
]

export const TraceRows = ({ label, trace }: { readonly label: string; readonly trace: Trace }) => (
  <DataTable label={label} columns={columns} rows={trace.rows} />
)

const FIELDS = [
  ...(['level', 'kind', 'quantity', 'batch_number', 'sku', 'title'] as const),
  ...(['source_type', 'source_number', 'document_date'] as const),
]

/** Names and formats are those of the API, because a program may read the file. */
export const traceCsv = (trace: Trace, placeTitle: (id: string | null) => string) => [
  [...FIELDS, 'storage_place', 'partner', 'partner_country'],
  ...trace.rows.map(row => [
    ...FIELDS.map(name => row[name]),
    row.storage_place_id === null ? null : placeTitle(row.storage_place_id),
    row.partner?.title ?? null,
    row.partner?.country_code ?? null,
  ]),
]
