/** Stock adjustments: the list of them, and a page each. */
import type { StockAdjustment } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant, words } from '../../format.tsx'
import { Cost, column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { DayFilter } from '../../patterns/filters.tsx'
import { BatchLink, DocumentLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Reversed, ReverseStep } from '../../patterns/reversal.tsx'
import { Section } from '../../patterns/section.tsx'

const route = getRouteApi('/stock-adjustments')
const one = getRouteApi('/stock-adjustments/$id')

type Adjustment = Exact<StockAdjustment>

const columns: Columns<Adjustment> = [
  numberColumn('STOCK_ADJUSTMENT'),
  column.day('Date', ({ date }) => date),
  column.shown('Reason', ({ reason }) => words(reason), 'sm'),
  column.lines(
    'What',
    ({ items }) => items,
    undefined,
    adjustment => <Reversed of={adjustment} />,
  ),
  column.place('Place', ({ storage_place_id }) => storage_place_id, 'sm'),
]

export const Adjustments = () => (
  <ListOf
    title="Stock adjustments"
    route={route}
    name="stock-adjustments"
    of={api => api.stockAdjustments}
    columns={columns}
    whenEmpty="Nothing has been adjusted yet. The page of a variant has a form for it."
    filters={filter => (
      <>
        <DayFilter label="Booked from" {...filter('created_after')} />
        <DayFilter label="Booked before" {...filter('created_before')} />
      </>
    )}
  />
)

const lines: Columns<Adjustment['items'][number]> = [
  column.what('What', line => line),
  column.shown('Batch', ({ batch_id, batch_number }) => <BatchLink id={batch_id} number={batch_number} />),
  column.quantity('Change', ({ quantity }) => quantity),
  column.quantity('There after', ({ quantity_after }) => quantity_after, 'sm'),
  column.cost('Value', ({ amount }) => amount, 'sm'),
]

export const Adjustment = () => (
  <RecordOf route={one} kind="Stock adjustment" name="stock-adjustments" of={api => api.stockAdjustments}>
    {(adjustment, api) => (
      <RecordPage
        title={adjustment.number}
        of={adjustment}
        status={<Reversed of={adjustment} />}
        steps={
          <ReverseStep
            of={adjustment}
            record={adjustment}
            reread={() => api.stockAdjustments.get(adjustment.id)}
            scope="write:inventory.adjustment.reverse"
            source="STOCK_ADJUSTMENT"
            lines={adjustment.items}
            send={(body, sending) => api.stockAdjustments.reverse(adjustment.id, body, sending)}
          />
        }
        facts={[
          ['Date', dayText(adjustment.date)],
          ['Reason', words(adjustment.reason)],
          ['Place', <PlaceTitle key="place" id={adjustment.storage_place_id} />],
          ['Value', <Cost key="value" of={adjustment.total_amount} />],
          [
            'Books the count',
            adjustment.stock_count_id && (
              <DocumentLink key="count" kind="STOCK_COUNT" id={adjustment.stock_count_id} inText>
                what was counted
              </DocumentLink>
            ),
          ],
          ['Booked', <Instant key="booked" at={adjustment.created_at} />],
          ['Reversed by', adjustment.reversed_by_user_name],
          ['Reference', adjustment.external_ref],
          ['Notes', adjustment.notes],
        ]}
      >
        <Section title="Lines">
          <DataTable label="Lines" columns={lines} rows={adjustment.items} />
        </Section>
      </RecordPage>
    )}
  </RecordOf>
)
