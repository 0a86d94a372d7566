/** The newest batches of a variant; each leads to its trace. */
import { Text } from '@mantine/core'
import type { Batch } from '@millrace/client'
import { queryOptions } from '@tanstack/react-query'
import type { Exact } from '../../exact.ts'
import { dayText, quantityText } from '../../format.tsx'
import { columnsOf, DataTable } from '../../patterns/data-table.tsx'
import { DocumentLink } from '../../patterns/document-link.tsx'
import { useApi } from '../../session.tsx'
import { Panel } from '../today/panel.tsx'

const ROWS = 20

const column = columnsOf<Exact<Batch>>()
const columns = column.columns([
  column.accessor('number', {
    header: 'Batch',
    cell: ({ row: { original } }) => (
      <DocumentLink kind="BATCH" id={original.id}>
        {original.number}
      </DocumentLink>
    ),
  }),
  column.accessor('expiry_date', { header: 'Expires', cell: ({ getValue }) => dayText(getValue()) }),
  column.accessor('quantity', {
    header: 'On hand',
    cell: ({ getValue }) => quantityText(getValue()),
    meta: { align: 'right' },
  }),
])

export function Batches({ variantId }: { readonly variantId: string }) {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['batches', 'of', variantId] as readonly unknown[],
    queryFn: async ({ signal }) =>
      await api.batches.list({ item_variant_id: variantId, order: 'desc', limit: ROWS }, { signal }),
  })
  return (
    <Panel
      title="Batches"
      scope="read:stock"
      query={query}
      isEmpty={({ data }) => data.length === 0}
      whenEmpty="It has no batches yet: its first stock makes one."
    >
      {({ data, next_cursor }) => (
        <>
          <DataTable label="Batches" columns={columns} rows={data} rowId={({ id }) => id} />
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
