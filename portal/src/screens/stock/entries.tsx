/** Where a variant lies: by place and batch, and its newest batches, each of which leads to its trace. */
import { Group } from '@mantine/core'
import { dayText } from '../../format.tsx'
import { entriesQuery } from '../../patterns/batches.tsx'
import { ChosenRows, chooseColumn } from '../../patterns/chosen.tsx'
import { type Columns, column, levelColumns } from '../../patterns/columns.tsx'
import { BatchLink } from '../../patterns/links.tsx'
import { TablePanel } from '../../patterns/panel.tsx'
import { Below } from '../../patterns/small.tsx'
import { StockMarks, withLevels } from '../../patterns/stock-marks.tsx'
import { StockRowSteps } from '../../patterns/stock-rows.tsx'
import type { Batch, StockEntry } from '../../records.ts'
import { useApi } from '../../session.tsx'

type Props = { readonly variantId: string }
type Entry = StockEntry & { readonly levels: StockEntry }

const columns: Columns<Entry> = [
  chooseColumn,
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.shown('Batch', entry => (
    <>
      <BatchLink id={entry.batch_id} number={entry.batch_number} />
      {entry.expiry_date !== null && <Below>to {dayText(entry.expiry_date)}</Below>}
      <StockMarks of={entry} />
    </>
  )),
  ...levelColumns,
  column.cost('Average cost', ({ average_cost }) => average_cost, 'md'),
  column.amount('Value', ({ stock_value }) => stock_value, 'md'),
]

export function Entries({ variantId }: Props) {
  const api = useApi()
  return (
    <ChosenRows<Entry>>
      {(chosen, clear) => (
        <TablePanel
          title="By place and batch"
          scope="read:stock"
          query={entriesQuery(api, variantId)}
          columns={columns}
          rows={({ data }) => data.map(withLevels)}
          aside={
            <Group gap="xs">
              <StockRowSteps rows={chosen} onDone={clear} />
            </Group>
          }
          whenEmpty="It was never in stock. Adjust the stock to put in what is there."
          note={({ data, next_cursor }) =>
            next_cursor !== '' && `The newest ${data.length} rows of it; older batches are not shown here.`
          }
        />
      )}
    </ChosenRows>
  )
}

const BATCHES = 20

const batchColumns: Columns<Batch> = [
  column.shown('Batch', batch => (
    <>
      <BatchLink id={batch.id} number={batch.number} /> <StockMarks of={batch} />
    </>
  )),
  column.day('Expires', ({ expiry_date }) => expiry_date),
  column.quantity('On hand', ({ quantity }) => quantity),
]

export function Batches({ variantId: item_variant_id }: Props) {
  const api = useApi()
  return (
    <TablePanel
      title="Batches"
      scope="read:stock"
      query={{
        queryKey: ['batches', 'of', item_variant_id],
        queryFn: async ({ signal }) =>
          await api.batches.list({ item_variant_id, order: 'desc', limit: BATCHES }, { signal }),
      }}
      columns={batchColumns}
      rows={({ data }) => data}
      whenEmpty="It has no batches yet: its first stock makes one."
      note={({ next_cursor }) => next_cursor !== '' && `The newest ${BATCHES}.`}
    />
  )
}
