/** Stock by place and batch. */
import { getRouteApi } from '@tanstack/react-router'
import { listQuery } from '../../lists.ts'
import { ChosenRows, chooseColumn } from '../../patterns/chosen.tsx'
import { type Columns, column } from '../../patterns/columns.tsx'
import { PlaceFilter, TextFilter, useFilters } from '../../patterns/filters.tsx'
import { ButtonLink, VariantLink } from '../../patterns/links.tsx'
import { ListPage } from '../../patterns/list-page.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Small } from '../../patterns/small.tsx'
import { StockMarks } from '../../patterns/stock-marks.tsx'
import { StockRowSteps } from '../../patterns/stock-rows.tsx'
import type { StockEntry as Entry } from '../../records.ts'
import { useApi } from '../../session.tsx'

const route = getRouteApi('/stock/batches')

const columns: Columns<Entry> = [
  chooseColumn,
  column.shown('What', entry => <What entry={entry} />, { says: ({ title }) => title }),
  column.sku('SKU', ({ sku }) => sku, 'md'),
  column.place('Place', ({ storage_place_id }) => storage_place_id, 'sm'),
  column.shown('Batch', ({ batch_number }) => batch_number, 'sm'),
  column.day('Expires', ({ expiry_date }) => expiry_date, 'md'),
  column.quantity('On hand', ({ quantity }) => quantity),
  column.quantity('Quarantine', ({ quarantine_quantity }) => quarantine_quantity, 'sm'),
]

const What = ({ entry }: { readonly entry: Entry }) => (
  <>
    <VariantLink of={entry} className="row-link wraps" />
    <Small hiddenFrom="sm">
      <PlaceTitle id={entry.storage_place_id} />
      {entry.batch_number !== null && `, batch ${entry.batch_number}`}
    </Small>
    <StockMarks of={entry} />
  </>
)

export function Levels() {
  const api = useApi()
  const { search, filter, onClear } = useFilters(route)
  return (
    <ChosenRows<Entry>>
      {(chosen, clear) => (
        <ListPage
          title="Stock by place and batch"
          query={listQuery(['stock'], { ...search, order: search.order ?? 'asc' }, (query, options) =>
            api.stock.list(query, options),
          )}
          columns={columns}
          onClear={onClear}
          whenEmpty="Nothing was ever in stock. It comes in with receipts, manufacturing and adjustments: a variant's page has a form for these."
          actions={
            <>
              <StockRowSteps rows={chosen} onDone={clear} />
              <ButtonLink to="/stock">By variant</ButtonLink>
            </>
          }
          filters={
            <>
              <TextFilter label="SKU" {...filter('sku')} />
              <TextFilter label="Batch number" {...filter('batch_number')} />
              <PlaceFilter {...filter('storage_place_id')} />
            </>
          }
        />
      )}
    </ChosenRows>
  )
}
