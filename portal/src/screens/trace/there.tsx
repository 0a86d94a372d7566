/** Where a batch lies now, and the steps with what lies there. */
import { Group } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { type ExactApi, isPositive } from '../../exact.ts'
import { ChosenRows, chooseColumn } from '../../patterns/chosen.tsx'
import { column } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { StockMarks } from '../../patterns/stock-marks.tsx'
import { StockRowSteps } from '../../patterns/stock-rows.tsx'
import type { StockEntry as Entry } from '../../records.ts'

const PAGE_ROWS = 200
const PLACES_MAX = 5_000

export const thereQuery = (api: ExactApi, batchId: string) =>
  queryOptions({
    queryKey: ['stock', 'of-batch', batchId] as readonly unknown[],
    queryFn: async ({ signal }) => {
      const rows = await api.stock
        .list({ batch_id: batchId, limit: PAGE_ROWS }, { signal })
        .toArray({ max: PLACES_MAX })
      return rows.filter(({ quantity }) => isPositive(quantity))
    },
  })

const columns: Columns<Entry> = [
  chooseColumn,
  column.place('Place', ({ storage_place_id }) => storage_place_id),
  column.quantity('On hand', ({ quantity }) => quantity),
  column.quantity('Quarantine', ({ quarantine_quantity }) => quarantine_quantity),
  column.shown('State', entry => <StockMarks of={entry} />, 'sm'),
]

export const There = ({ rows }: { readonly rows: readonly Entry[] }) => (
  <ChosenRows<Entry>>
    {(chosen, clear) => (
      <>
        <Group gap="xs" px="sm">
          <StockRowSteps rows={chosen} onDone={clear} />
        </Group>
        <DataTable label="Where it lies" columns={columns} rows={rows} />
      </>
    )}
  </ChosenRows>
)
