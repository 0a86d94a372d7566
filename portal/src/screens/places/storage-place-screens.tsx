/** Storage places: their list, and a page each with what the place is for and what lies there. */
import { Badge, Title } from '@mantine/core'
import { listQuery } from '../../lists.ts'
import { addressOf } from '../../patterns/addresses.tsx'
import { Archived, titleColumn } from '../../patterns/archived.tsx'
import { type Columns, column, levelColumns } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { PathLink, VariantLink } from '../../patterns/links.tsx'
import { Records } from '../../patterns/list-page.tsx'
import { Small } from '../../patterns/small.tsx'
import { StockMarks, withLevels } from '../../patterns/stock-marks.tsx'
import type { StockEntry, StoragePlace } from '../../records.ts'
import { useApi } from '../../session.tsx'
import { storagePlaces } from './nouns.ts'
import { NewPlace, PlaceSteps } from './steps.tsx'

export const { List, Page } = documentScreens(storagePlaces, {
  columns: [
    titleColumn(storagePlaces),
    column.shown('Main', ({ is_main }) => is_main && <Badge miw="max-content">Main place</Badge>),
    column.shown('Code', ({ code }) => code, 'sm'),
    column.shown('May be used for', allowedText, 'sm'),
    column.shown('Town', ({ address }) => address?.city, 'md'),
  ],
  actions: <NewPlace />,
  whenEmpty: 'There are no storage places yet. Make one: stock lies there, and the first one is the main place.',
  status: place => (
    <>
      {place.is_main && <Badge>Main place</Badge>}
      <Archived of={place} />
    </>
  ),
  steps: place => (
    <>
      <PathLink to="/stock" search={{ storage_place_id: place.id }}>
        Stock there
      </PathLink>
      <PathLink to="/stock/batches" search={{ storage_place_id: place.id }}>
        By batch
      </PathLink>
      <PlaceSteps place={place} />
    </>
  ),
  facts: place => [
    ['Code', place.code],
    ['May be used for', allowedText(place)],
    ['Address', place.address && addressOf({ name: null, phone: null, ...place.address })],
    ['Reference', place.external_ref],
  ],
  related: ({ id }) => (
    <>
      <Title order={2}>What lies there</Title>
      <There placeId={id} />
    </>
  ),
})

/** What new documents may use it for. */
function allowedText({ sales_allowed, purchase_allowed, manufacturing_allowed }: StoragePlace): string {
  const uses = [sales_allowed && 'sales', purchase_allowed && 'receipts', manufacturing_allowed && 'manufacturing']
  return uses.filter(Boolean).join(', ') || 'nothing new'
}

const columns: Columns<StockEntry & { readonly levels: StockEntry }> = [
  column.shown('What', row => (
    <>
      <VariantLink of={row} className="row-link wraps" />
      {row.batch_number !== null && <Small hiddenFrom="sm">Batch {row.batch_number}</Small>}
      <StockMarks of={row} />
    </>
  )),
  column.sku('SKU', ({ sku }) => sku, 'sm'),
  column.shown('Batch', ({ batch_number }) => batch_number, 'sm'),
  ...levelColumns,
]

function There({ placeId }: { readonly placeId: string }) {
  const api = useApi()
  return (
    <Records
      title="What lies there"
      query={listQuery(['stock', 'at', placeId], { storage_place_id: placeId }, async (query, options) => {
        const page = await api.stock.list(query, options)
        return { ...page, data: page.data.map(withLevels) }
      })}
      columns={columns}
      rowId={({ item_variant_id, batch_id }) => `${item_variant_id} ${batch_id}`}
      whenEmpty="Nothing was ever there. Stock comes in with receipts, manufacturing, transfers and adjustments."
    />
  )
}
