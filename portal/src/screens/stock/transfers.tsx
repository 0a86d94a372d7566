/** Stock transfers: the list of them, and a page each. */
import type { StockTransfer } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { dayText, Instant } from '../../format.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { type Columns, DataTable } from '../../patterns/data-table.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { DayFilter } from '../../patterns/filters.tsx'
import { BatchLink } from '../../patterns/links.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Reversed, ReverseStep } from '../../patterns/reversal.tsx'
import { Section } from '../../patterns/section.tsx'

const route = getRouteApi('/stock-transfers')
const one = getRouteApi('/stock-transfers/$id')

type Transfer = Exact<StockTransfer>

const columns: Columns<Transfer> = [
  numberColumn('STOCK_TRANSFER'),
  column.day('Date', ({ date }) => date),
  column.lines(
    'What',
    ({ items }) => items,
    undefined,
    transfer => <Reversed of={transfer} />,
  ),
  column.place('From', ({ from_storage_place_id }) => from_storage_place_id, 'sm'),
  column.place('To', ({ to_storage_place_id }) => to_storage_place_id, 'sm'),
]

export const Transfers = () => (
  <ListOf
    title="Stock transfers"
    route={route}
    name="stock-transfers"
    of={api => api.stockTransfers}
    columns={columns}
    whenEmpty="Nothing has been transferred yet. The page of a variant has a form for it."
    filters={filter => (
      <>
        <DayFilter label="Booked from" {...filter('created_after')} />
        <DayFilter label="Booked before" {...filter('created_before')} />
      </>
    )}
  />
)

const lines: Columns<Transfer['items'][number]> = [
  column.what('What', ({ title, sku }) => ({ title, sku })),
  column.shown('Batch', ({ batch_id, batch_number }) => <BatchLink id={batch_id} number={batch_number} />),
  column.quantity('Quantity', ({ quantity }) => quantity),
  column.cost('Value', ({ value }) => value, 'sm'),
]

export const Transfer = () => (
  <RecordOf route={one} kind="Stock transfer" name="stock-transfers" of={api => api.stockTransfers}>
    {(transfer, api) => (
      <RecordPage
        title={transfer.number}
        of={transfer}
        status={<Reversed of={transfer} />}
        steps={
          <ReverseStep
            of={transfer}
            record={transfer}
            reread={() => api.stockTransfers.get(transfer.id)}
            scope="write:inventory.transfer.reverse"
            source="STOCK_TRANSFER"
            lines={transfer.items}
            send={(body, sending) => api.stockTransfers.reverse(transfer.id, body, sending)}
          />
        }
        facts={[
          ['Date', dayText(transfer.date)],
          ['From', <PlaceTitle key="from" id={transfer.from_storage_place_id} />],
          ['To', <PlaceTitle key="to" id={transfer.to_storage_place_id} />],
          ['Booked', <Instant key="booked" at={transfer.created_at} />],
          ['Reversed by', transfer.reversed_by_user_name],
          ['Reference', transfer.external_ref],
          ['Notes', transfer.notes],
        ]}
      >
        <Section title="Lines">
          <DataTable label="Lines" columns={lines} rows={transfer.items} />
        </Section>
      </RecordPage>
    )}
  </RecordOf>
)
