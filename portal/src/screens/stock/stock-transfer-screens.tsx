/** Stock transfers: their list, and a page each. */
import { dayText, Instant } from '../../format.tsx'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { stockTransfers } from './nouns.ts'

export const { List, Page } = documentScreens(stockTransfers, {
  columns: [
    numberColumn(stockTransfers),
    column.day('Date', ({ date }) => date),
    column.lines('What', ({ items }) => items, { below: transfer => <Reversed of={transfer} /> }),
    column.place('From', ({ from_storage_place_id }) => from_storage_place_id, 'sm'),
    column.place('To', ({ to_storage_place_id }) => to_storage_place_id, 'sm'),
  ],
  whenEmpty: 'Nothing has been transferred yet. The page of a variant has a form for it.',
  reverses: {
    scope: 'write:inventory.transfer.reverse',
    send: (api, { id }, body, sending) => api.stockTransfers.reverse(id, body, sending),
  },
  facts: transfer => [
    ['Date', dayText(transfer.date)],
    ['From', <PlaceTitle key="from" id={transfer.from_storage_place_id} />],
    ['To', <PlaceTitle key="to" id={transfer.to_storage_place_id} />],
    ['Booked', <Instant key="booked" at={transfer.created_at} />],
    ['Reversed by', transfer.reversed_by_user_name],
    ['Reference', transfer.external_ref],
    ['Notes', transfer.notes],
  ],
  lines: [
    column.what('What', ({ title, sku }) => ({ title, sku })),
    column.batch('Batch', line => line),
    column.quantity('Quantity', ({ quantity }) => quantity),
    column.cost('Value', ({ value }) => value, 'sm'),
  ],
})
