/** Stock adjustments: their list, and a page for each. */
import { dayText, Instant, words } from '../../format.tsx'
import { Amount, column, numberColumn } from '../../patterns/columns.tsx'
import { documentScreens } from '../../patterns/document-screens.tsx'
import { linkTo } from '../../patterns/links.tsx'
import { PlaceTitle } from '../../patterns/places.tsx'
import { Reversed } from '../../patterns/reversal.tsx'
import { stockAdjustments } from './nouns.ts'

export const { List, Page } = documentScreens(stockAdjustments, {
  columns: [
    numberColumn(stockAdjustments),
    column.day('Date', ({ date }) => date),
    column.shown('Reason', ({ reason }) => words(reason), 'sm'),
    column.lines('What', ({ items }) => items, { below: adjustment => <Reversed of={adjustment} /> }),
    column.place('Place', ({ storage_place_id }) => storage_place_id, 'sm'),
  ],
  whenEmpty: 'Nothing has been adjusted yet. The page of a variant has a form for it.',
  reverses: {
    scope: 'write:inventory.adjustment.reverse',
    send: (api, { id }, body, sending) => api.stockAdjustments.reverse(id, body, sending),
  },
  facts: adjustment => [
    ['Date', dayText(adjustment.date)],
    ['Reason', words(adjustment.reason)],
    ['Place', <PlaceTitle key="place" id={adjustment.storage_place_id} />],
    ['Value', <Amount key="value" of={adjustment.total_amount} />],
    ['Books the count', linkTo('STOCK_COUNT', adjustment.stock_count_id, 'what was counted', { inText: true })],
    ['Booked', <Instant key="booked" at={adjustment.created_at} />],
    ['Reversed by', adjustment.reversed_by_user_name],
    ['Reference', adjustment.external_ref],
    ['Notes', adjustment.notes],
  ],
  lines: [
    column.what('What', line => line),
    column.batch('Batch', line => line),
    column.quantity('Change', ({ quantity }) => quantity),
    column.quantity('There after', ({ quantity_after }) => quantity_after, 'sm'),
    column.amount('Value', ({ amount }) => amount, 'sm'),
  ],
})
