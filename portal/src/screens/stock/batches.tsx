/** The newest batches of a variant; each leads to its trace. */
import { Text } from '@mantine/core'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { BatchLink } from '../../patterns/links.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { StockMarks } from '../../patterns/stock-marks.tsx'
import type { Batch } from '../../records.ts'
import { useApi } from '../../session.tsx'

const ROWS = 20

const columns: Columns<Batch> = [
  column.shown('Batch', batch => (
    <>
      <BatchLink id={batch.id} number={batch.number} /> <StockMarks of={batch} />
    </>
  )),
  column.day('Expires', ({ expiry_date }) => expiry_date),
  column.quantity('On hand', ({ quantity }) => quantity),
]

export function Batches({ variantId }: { readonly variantId: string }) {
  const api = useApi()
  return (
    <Panel
      title="Batches"
      scope="read:stock"
      query={{
        queryKey: ['batches', 'of', variantId],
        queryFn: async ({ signal }) =>
          await api.batches.list({ item_variant_id: variantId, order: 'desc', limit: ROWS }, { signal }),
      }}
      isEmpty={({ data }) => data.length === 0}
      whenEmpty="It has no batches yet: its first stock makes one."
    >
      {({ data, next_cursor }) => (
        <>
          <DataTable label="Batches" columns={columns} rows={data} />
          {next_cursor !== '' && (
            <Text size="sm" c="dimmed" p="sm">
              The newest {ROWS}.
            </Text>
          )}
        </>
      )}
    </Panel>
  )
}
