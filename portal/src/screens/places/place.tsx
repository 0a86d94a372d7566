/** A storage place: what it is for, and what lies there. */

import { Badge, Text, Title } from '@mantine/core'
import type { StockEntry, StoragePlace } from '@millrace/client'
import { getRouteApi } from '@tanstack/react-router'
import type { Exact } from '../../exact.ts'
import { listQuery } from '../../lists.ts'
import { addressOf } from '../../patterns/addresses.tsx'
import { Archived } from '../../patterns/archived.tsx'
import { column, levelColumns } from '../../patterns/columns.tsx'
import type { Columns } from '../../patterns/data-table.tsx'
import { RecordOf, RecordPage } from '../../patterns/detail-page.tsx'
import { DocumentLink, PathLink } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { StockMarks, withLevels } from '../../patterns/stock-marks.tsx'
import { useApi } from '../../session.tsx'
import { allowedText } from './allowed.ts'
import { PlaceSteps } from './steps.tsx'

const route = getRouteApi('/storage-places/$id')

type Row = Exact<StockEntry> & { readonly levels: Exact<StockEntry> }

const columns: Columns<Row> = [
  column.shown('What', ({ item_id, item_variant_id, title, batch_number, ...row }) => (
    <>
      <DocumentLink kind="VARIANT" id={`${item_id}/${item_variant_id}`} className="row-link wraps">
        {title}
      </DocumentLink>
      {batch_number !== null && (
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          Batch {batch_number}
        </Text>
      )}
      <StockMarks of={row} />
    </>
  )),
  column.shown('SKU', ({ sku }) => sku, 'sm'),
  column.shown('Batch', ({ batch_number }) => batch_number, 'sm'),
  ...levelColumns,
]

export const Place = () => (
  <RecordOf route={route} kind="Storage place" name="storage-places" of={api => api.storagePlaces}>
    {place => <Shown place={place} />}
  </RecordOf>
)

function Shown({ place }: { readonly place: Exact<StoragePlace> }) {
  const api = useApi()
  const { id } = place
  const search = { storage_place_id: id }
  return (
    <RecordPage
      title={place.title}
      of={place}
      status={
        <>
          {place.is_main && <Badge>Main place</Badge>}
          <Archived of={place} />
        </>
      }
      steps={
        <>
          <PathLink to="/stock" search={search}>
            Stock there
          </PathLink>
          <PathLink to="/stock/batches" search={search}>
            By batch
          </PathLink>
          <PlaceSteps place={place} />
        </>
      }
      facts={[
        ['Code', place.code],
        ['May be used for', allowedText(place)],
        ['Address', place.address && addressOf({ name: null, phone: null, ...place.address })],
        ['Reference', place.external_ref],
      ]}
    >
      <Title order={2}>What lies there</Title>
      <Records
        title="What lies there"
        query={listQuery(['stock', 'at', id], search, async (query, options) => {
          const page = await api.stock.list(query, options)
          return { ...page, data: page.data.map(withLevels) }
        })}
        columns={columns}
        rowId={({ item_variant_id, batch_id }) => `${item_variant_id} ${batch_id}`}
        whenEmpty="Nothing was ever there. Stock comes in with receipts, manufacturing, transfers and adjustments."
      />
    </RecordPage>
  )
}
