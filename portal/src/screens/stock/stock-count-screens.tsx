/** Stock counts: their list, and a page for each with the input, the counted lines, and its end. */
import { Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { isZero } from '../../exact.ts'
import { Instant, quantityText } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import type { OneOf } from '../../noun.ts'
import { Step } from '../../patterns/action-form.tsx'
import { type Columns, column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { here } from '../../patterns/filters.tsx'
import { linkTo } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { PlaceSelect, PlaceTitle, placeId, placeValue, usePlaces } from '../../patterns/places.tsx'
import { useStepsOf } from '../../patterns/record-steps.tsx'
import { Section } from '../../patterns/section.tsx'
import type { StockCountItem } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { Counting } from './counting.tsx'
import { stockCounts } from './nouns.ts'

export const { List, Page } = documentScreens(stockCounts, {
  columns: [
    numberColumn(stockCounts),
    column.status('Status', ({ status }) => status),
    column.shown('Name', ({ title }) => title),
    column.place('Place', ({ storage_place_id }) => storage_place_id, 'sm'),
    column.number('Lines', ({ line_count }) => line_count, 'sm'),
    column.number('Differences', ({ difference_count }) => difference_count),
    column.instant('Begun', ({ created_at }) => created_at, 'md'),
  ],
  actions: <NewCount />,
  whenEmpty: 'Nothing has been counted yet. Begin a count here: scan or type what lies at a place.',
  steps: count => count.status === 'OPEN' && <Ends count={count} />,
  // Before the facts, so that a phone shows it without scrolling.
  notice: count =>
    count.status === 'OPEN' && (
      <Section title="Count">
        <Counting countId={count.id} place={count.storage_place_id} />
      </Section>
    ),
  facts: count => [
    ['Name', count.title],
    ['Place', <PlaceTitle key="place" id={count.storage_place_id} />],
    ['Lines', quantityText(count.line_count)],
    ['Differences', quantityText(count.difference_count)],
    ['Completed', count.completed_at && <Instant key="completed" at={count.completed_at} />],
    ['Booked by', linkTo('STOCK_ADJUSTMENT', count.adjustment_id, 'its adjustment', { inText: true })],
    ['Reference', count.external_ref],
    ['Notes', count.notes],
  ],
  related: ({ id }) => <Counted countId={id} />,
})

const lines: Columns<StockCountItem> = [
  column.what('What', line => line),
  column.batch('Batch', line => line, 'sm'),
  column.quantity('Counted', ({ counted_quantity }) => counted_quantity),
  column.quantity('Was there', ({ expected_quantity }) => expected_quantity, 'sm'),
  column.shown(
    'Difference',
    ({ difference }) => (isZero(difference) ? '–' : <strong>{quantityText(difference)}</strong>),
    { says: ({ difference }) => difference },
  ),
  column.instant('Counted at', ({ counted_at }) => counted_at, 'md'),
  column.shown('By', ({ counted_by_user_name }) => counted_by_user_name, 'md'),
]

/** A count may have many lines, so they are a list of their own. */
function Counted({ countId }: { readonly countId: string }) {
  const api = useApi()
  return (
    <Records
      title="What was counted"
      query={listQuery(['stock-counts', 'items', countId], here.useSearch(), (query, options) =>
        api.stockCounts.listItems(countId, query, options),
      )}
      columns={lines}
      leads={false}
      whenEmpty="Nothing yet."
    />
  )
}

function NewCount() {
  const api = useApi()
  const navigate = useNavigate()
  const places = usePlaces()
  const main = placeValue(places?.find(({ is_main }) => is_main)?.id ?? null)
  return (
    <Step
      label="New count"
      submitLabel="Begin"
      scope={['write:inventory.adjustment.create', 'read:stock']}
      closed={places === undefined ? 'The places are not read yet' : undefined}
      button={{ variant: 'filled' }}
      explains="Goods may move while you count: a line keeps what was there when you counted it. Nothing is booked until you complete the count."
      initial={() => ({ title: '', place: main })}
      fields={form => (
        <>
          <TextInput label="Name" placeholder="Shelves A to F" maxLength={255} {...form.getInputProps('title')} />
          <PlaceSelect label="Place" required withNone={places?.length === 0} {...form.getInputProps('place')} />
        </>
      )}
      send={({ title, place }, sending) =>
        api.stockCounts.create({ title: title.trim() || null, storage_place_id: placeId(place) }, sending)
      }
      done={({ number }) => `${number} has begun`}
      onDone={({ id }) => navigate({ to: `/stock-counts/${id}` as string })}
    />
  )
}

function Ends({ count }: { readonly count: OneOf<typeof stockCounts> }) {
  const api = useApi()
  const { id, number } = count
  const step = useStepsOf(stockCounts, count, 'write:inventory.adjustment.create')
  return (
    <>
      <Step
        {...step('Complete', 'done')}
        button={{ variant: 'filled' }}
        explains="Books the difference of each line: what moved since it was counted stays moved."
        initial={() => ({ date: '' })}
        fields={form => <TextInput type="date" label="Booked on (now if empty)" {...form.getInputProps('date')} />}
        send={({ date }, sending) => api.stockCounts.complete(id, { date: date || undefined }, sending)}
        foretells={({ difference_count, adjustment_id }) => (
          <Text size="sm">
            {adjustment_id === null
              ? 'Nothing differs: no stock changes.'
              : `One adjustment books the differences of ${quantityText(difference_count)} of ${quantityText(count.line_count)} lines.`}
          </Text>
        )}
      />
      <Step
        {...step('Cancel count', 'cancelled')}
        title={`Cancel ${number}`}
        explains="Nothing is booked. This cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(_values, sending) => api.stockCounts.cancel(id, {}, sending)}
      />
    </>
  )
}
