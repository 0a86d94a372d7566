/** Batches: their list, and a page each with whom to call, where the batch went, and where it came from. */
import { Group, Skeleton, Text } from '@mantine/core'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ExactApi, isPositive } from '../../exact.ts'
import { countText, dayText, Instant } from '../../format.tsx'
import { ChosenRows, chooseColumn } from '../../patterns/chosen.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { CsvButton } from '../../patterns/csv.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { DateWarnings, isBefore } from '../../patterns/date-warnings.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { Failure } from '../../patterns/failure.tsx'
import { field } from '../../patterns/fields.tsx'
import { ButtonLink, linkTo } from '../../patterns/links.tsx'
import { Empty } from '../../patterns/list-page.tsx'
import { Panel } from '../../patterns/panel.tsx'
import { usePlaceTitle } from '../../patterns/places.tsx'
import { ShapeSwitch } from '../../patterns/plot.tsx'
import { EditRecord } from '../../patterns/record-steps.tsx'
import { Section } from '../../patterns/section.tsx'
import { StockMarks } from '../../patterns/stock-marks.tsx'
import { QuarantineStep, StockRowSteps } from '../../patterns/stock-rows.tsx'
import { Quantity } from '../../patterns/units.tsx'
import type { Batch, BatchTrace, StockEntry as Entry } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { Customers } from './customers.tsx'
import { TraceGraph } from './graph.tsx'
import { batches } from './nouns.ts'
import { TraceRows, traceCsv } from './rows.tsx'

export const { List, Page } = documentScreens(batches, {
  columns: [
    numberColumn(batches, 'Batch'),
    column.shown(
      'What',
      batch => (
        <>
          {batch.title}
          <StockMarks of={batch} />
        </>
      ),
      { says: ({ title }) => title },
    ),
    column.sku('SKU', ({ sku }) => sku, 'lg'),
    column.quantity('In stock', ({ quantity }) => quantity),
    column.quantity('Quarantined', ({ quarantine_quantity }) => quarantine_quantity, 'md'),
    column.day('Made on', ({ manufacture_date }) => manufacture_date, 'md'),
    column.day('Expires', ({ expiry_date }) => expiry_date, 'sm'),
  ],
  whenEmpty: 'There are no batches yet. A receipt, a production or an adjustment that names a batch makes one.',
  useMore: useWays,
  title: ({ number }) => `Batch ${number}`,
  status: batch => <StockMarks of={batch} />,
  steps: (batch, { there }) => (
    <>
      {there.data && <QuarantineStep rows={there.data} label="Quarantine all of it" />}
      <EditBatch batch={batch} />
      <ButtonLink to={`/print/batch-labels/${batch.id}`}>Labels</ButtonLink>
    </>
  ),
  facts: batch => [
    ['What', linkTo('VARIANT', `${batch.item_id}/${batch.item_variant_id}`, batch.title)],
    ['SKU', batch.sku],
    ['In stock', <Quantity key="stock" of={batch.quantity} goods={batch} />],
    ['Quarantined', <Quantity key="quarantined" of={batch.quarantine_quantity} goods={batch} />],
    ['Made on', batch.manufacture_date && dayText(batch.manufacture_date)],
    ['Expires', batch.expiry_date && dayText(batch.expiry_date)],
    ['First came in', <Instant key="created" at={batch.created_at} />],
  ],
  related: ({ id }, { api, forward, backward }) => (
    <>
      <Panel
        title="Where it lies"
        scope="read:stock"
        query={thereQuery(api, id)}
        whenEmpty="Nothing of it is in stock."
      >
        {rows => <There rows={rows} />}
      </Panel>
      {forward.data && <Customers trace={forward.data} />}
      <Direction direction="forward" trace={forward} />
      <Direction direction="backward" trace={backward} />
    </>
  ),
})

function useWays({ id }: Batch) {
  const api = useApi()
  const there = useQuery(thereQuery(api, id))
  return { api, there, forward: useTrace(id, 'forward'), backward: useTrace(id, 'backward') }
}

const directions = {
  forward: { title: 'Where it went', whenEmpty: 'It went nowhere, and nothing of it is in stock.' },
  backward: { title: 'Where it came from', whenEmpty: 'Nothing tells where it came from.' },
} as const

function useTrace(id: string, direction: BatchTrace['direction']): UseQueryResult<BatchTrace> {
  const api = useApi()
  return useQuery({
    queryKey: ['batches', 'trace', id, direction],
    queryFn: ({ signal }) => api.batches.trace(id, { direction }, { signal }),
  })
}

type DirectionProps = { readonly direction: BatchTrace['direction']; readonly trace: UseQueryResult<BatchTrace> }

function Direction({ direction, trace: { data, error, refetch } }: DirectionProps) {
  const [shape, setShape] = useState('Graph')
  const placeTitle = usePlaceTitle()
  const { title, whenEmpty } = directions[direction]
  if (error) return <Failure error={error} title={`${title}: this could not be read`} onRetry={() => refetch()} />
  return (
    <Section
      title={title}
      aside={
        data &&
        data.rows.length > 0 && (
          <Group gap="xs">
            <ShapeSwitch of={title} data={['Graph', 'Table']} value={shape} onChange={setShape} />
            <CsvButton
              name={`trace-${direction}-${data.batch.number}`}
              label={title}
              rows={() => traceCsv(data, placeTitle)}
            />
          </Group>
        )
      }
    >
      {data === undefined ? (
        <Skeleton h={160} m="md" />
      ) : data.rows.length === 0 ? (
        <Empty>{whenEmpty}</Empty>
      ) : (
        <>
          {shape === 'Graph' ? <TraceGraph label={title} trace={data} /> : <TraceRows label={title} trace={data} />}
          {data.truncated && (
            <Text size="sm" c="var(--mantine-color-error)" px="sm" pb="sm">
              There is more than these {countText(data.rows.length)} rows: trace the batches at their end one by one.
            </Text>
          )}
        </>
      )}
    </Section>
  )
}

const fields = {
  number: {
    ...field.title('Number', { maxLength: 64 }),
    rule: (number: string) => (number.trim() === '' ? 'a batch has a number' : null),
  },
  manufacture_date: field.day('Made on'),
  expiry_date: field.day('Expires'),
}

function EditBatch({ batch }: { readonly batch: Batch }) {
  const api = useApi()
  return (
    <EditRecord
      of={batches}
      record={batch}
      fields={fields}
      scope="write:stock.batch.update"
      title={`Edit batch ${batch.number}`}
      size="md"
      isStacked
      explains="Picking, stock and traces follow at once. Documents keep what they showed."
      below={({ expiry_date, manufacture_date }) => (
        <DateWarnings of={[[isBefore(expiry_date, manufacture_date), 'it expires before it is made']]} />
      )}
      update={(changes, sending) => api.batches.update(batch.id, changes, sending)}
      done={({ number }) => `Batch ${number} is saved`}
    />
  )
}

const PAGE_ROWS = 200
const PLACES_MAX = 5_000

const thereQuery = (api: ExactApi, batchId: string) =>
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

const There = ({ rows }: { readonly rows: readonly Entry[] }) => (
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
