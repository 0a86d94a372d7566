/** Stock transfers: their list, and a page for each. */
import { dayText, Instant } from '../../format.tsx'
import type { OneOf } from '../../noun.ts'
import { column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { PlaceTitle, usePlaceTitle } from '../../patterns/places.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { stockTransfers } from './nouns.ts'

/** Where it went. Within a place it went into quarantine or out of it: the interface does not tell which. */
const endText = (of: OneOf<typeof stockTransfers>, placeTitle: (id: string | null) => string): string =>
  of.from_storage_place_id === of.to_storage_place_id
    ? 'Into or out of quarantine there'
    : placeTitle(of.to_storage_place_id)

const End = ({ of }: { readonly of: OneOf<typeof stockTransfers> }) => endText(of, usePlaceTitle())

export const { List, Page } = documentScreens(stockTransfers, {
  columns: [
    numberColumn(stockTransfers),
    column.day('Date', ({ date }) => date),
    column.lines('What', ({ items }) => items, { below: transfer => <Reversed of={transfer} /> }),
    column.place('From', ({ from_storage_place_id }) => from_storage_place_id, 'sm'),
    column.shown('To', of => <End of={of} />, { visibleFrom: 'sm', says: endText }),
  ],
  whenEmpty: 'Nothing has been transferred yet. The page of a variant has a form for it.',
  reverses: {
    scope: 'write:inventory.transfer.reverse',
    send: (api, { id }, body, sending) => api.stockTransfers.reverse(id, body, sending),
  },
  facts: transfer => [
    ['Date', dayText(transfer.date)],
    ['From', <PlaceTitle key="from" id={transfer.from_storage_place_id} />],
    ['To', <End key="to" of={transfer} />],
    ['Booked', <Instant key="booked" at={transfer.created_at} />],
    ['Reversed by', transfer.reversed_by_user_name],
    ['Reference', transfer.external_ref],
    ['Notes', transfer.notes],
  ],
  lines: [
    column.what('What', ({ title, sku }) => ({ title, sku })),
    column.batch('Batch', line => line),
    column.quantity('Quantity', ({ quantity }) => quantity),
    column.amount('Value', ({ value }) => value, 'sm'),
  ],
})
