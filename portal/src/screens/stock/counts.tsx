/** Stock counts: the list of them, and how one begins. */
import { TextInput } from '@mantine/core'
import type { StockCount } from '@millrace/client'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { Step } from '../../patterns/action-form.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { CodesFilter, PlaceFilter } from '../../patterns/filters.tsx'
import { ListOf } from '../../patterns/list-of.tsx'
import { PlaceSelect, placeId, placeValue, usePlaces } from '../../patterns/places.tsx'
import { useApi } from '../../session.tsx'
import { STATUSES } from './statuses.ts'

const route = getRouteApi('/stock-counts')

const columns: Columns<Exact<StockCount>> = [
  numberColumn('STOCK_COUNT'),
  column.status('Status', ({ status }) => status),
  column.shown('Title', ({ title }) => title),
  column.place('Place', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.number('Lines', ({ line_count }) => line_count, 'sm'),
  column.number('Differences', ({ difference_count }) => difference_count),
  column.instant('Begun', ({ created_at }) => created_at, 'md'),
]

export const Counts = () => (
  <ListOf
    title="Stock counts"
    route={route}
    name="stock-counts"
    of={api => api.stockCounts}
    columns={columns}
    whenEmpty="Nothing has been counted yet. Begin a count here: scan or type what lies at a place."
    actions={<NewCount />}
    filters={filter => (
      <>
        <CodesFilter label="Status" of={STATUSES} {...filter('status')} />
        <PlaceFilter {...filter('storage_place_id')} />
      </>
    )}
  />
)

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
          <TextInput label="Title" placeholder="Shelves A to F" maxLength={255} {...form.getInputProps('title')} />
          <PlaceSelect label="Place" required withNone={places?.length === 0} {...form.getInputProps('place')} />
        </>
      )}
      send={({ title, place }, sending) =>
        api.stockCounts.create({ title: title.trim() || null, storage_place_id: placeId(place) }, sending)
      }
      done={({ number }) => `${number} has begun`}
      onDone={({ id }) => navigate({ to: '/stock-counts/$id', params: { id } })}
    />
  )
}
