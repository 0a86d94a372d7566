/** One stock count: counting, what was counted, and its end. */
import { Text, TextInput } from '@mantine/core'
import type { StockCount, StockCountItem } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import { type Exact, isZero } from '../../exact.ts'
import { Instant, quantityText, Status } from '../../format.tsx'
import { listQuery } from '../../lists.ts'
import { Step } from '../../patterns/action-form.tsx'
import { column } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { DetailPage, RecordPage } from '../../patterns/detail-page.tsx'
import { BatchLink, DocumentLink } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Section } from '../../patterns/section.tsx'
import { useApi } from '../../session.tsx'
import { Counting } from './counting.tsx'

const one = getRouteApi('/stock-counts/$id')

type Line = Exact<StockCountItem>

const lines: Columns<Line> = [
  column.what('What', line => line),
  column.shown(
    'Batch',
    ({ batch_id, batch_number }) => <BatchLink id={batch_id} number={batch_number} />,
    'sm',
    ({ batch_number }) => batch_number,
  ),
  column.quantity('Counted', ({ counted_quantity }) => counted_quantity),
  column.quantity('Was there', ({ expected_quantity }) => expected_quantity, 'sm'),
  column.shown(
    'Difference',
    ({ difference }) => (isZero(difference) ? '–' : <strong>{quantityText(difference)}</strong>),
    undefined,
    ({ difference }) => difference,
  ),
  column.instant('Counted at', ({ counted_at }) => counted_at, 'md'),
  column.shown('By', ({ counted_by_user_name }) => counted_by_user_name, 'md'),
]

export function Count() {
  const api = useApi()
  const { id } = one.useParams()
  const search = one.useSearch()
  return (
    <DetailPage
      kind="Stock count"
      name={['stock-counts', 'one', id]}
      read={options => api.stockCounts.get(id, options)}
    >
      {count => (
        <RecordPage
          title={count.number}
          of={count}
          status={<Status code={count.status} />}
          steps={count.status === 'OPEN' && <Ends count={count} />}
          // In front of the facts: a phone shows it without scrolling.
          notice={
            count.status === 'OPEN' && (
              <Section title="Count">
                <Counting countId={id} place={count.storage_place_id} />
              </Section>
            )
          }
          facts={[
            ['Title', count.title],
            ['Place', <PlaceTitle key="place" id={count.storage_place_id} />],
            ['Lines', quantityText(count.line_count)],
            ['Differences', quantityText(count.difference_count)],
            ['Completed', count.completed_at && <Instant key="completed" at={count.completed_at} />],
            [
              'Booked by',
              count.adjustment_id && (
                <DocumentLink key="booked" kind="STOCK_ADJUSTMENT" id={count.adjustment_id} inText>
                  its adjustment
                </DocumentLink>
              ),
            ],
            ['Reference', count.external_ref],
            ['Notes', count.notes],
          ]}
        >
          <Records
            title="What was counted"
            query={listQuery(['stock-counts', 'items', id], search, (query, options) =>
              api.stockCounts.listItems(id, query, options),
            )}
            columns={lines}
            leads={false}
            whenEmpty="Nothing yet."
          />
        </RecordPage>
      )}
    </DetailPage>
  )
}

function Ends({ count }: { readonly count: Exact<StockCount> }) {
  const api = useApi()
  const { id, number } = count
  const common = { record: count, reread: () => api.stockCounts.get(id), scope: 'write:inventory.adjustment.create' }
  return (
    <>
      <Step
        {...common}
        label="Complete"
        title={`Complete ${number}`}
        button={{ variant: 'filled' }}
        explains="Books the difference of each line: what moved since it was counted stays moved."
        initial={() => ({ date: '' })}
        fields={form => <TextInput type="date" label="Booked on (now if empty)" {...form.getInputProps('date')} />}
        send={({ date }, sending) => api.stockCounts.complete(id, { date: date || undefined }, sending)}
        done={() => `${number} is done`}
        foretells={({ difference_count, adjustment_id }) => (
          <Text size="sm">
            {adjustment_id === null
              ? 'Nothing differs: no stock changes.'
              : `One adjustment books the differences of ${quantityText(difference_count)} of ${quantityText(count.line_count)} lines.`}
          </Text>
        )}
      />
      <Step
        {...common}
        label="Cancel count"
        title={`Cancel ${number}`}
        explains="Nothing is booked. This cannot be taken back."
        button={{ color: 'red', variant: 'outline' }}
        send={(_values, sending) => api.stockCounts.cancel(id, {}, sending)}
        done={() => `${number} is cancelled`}
      />
    </>
  )
}
