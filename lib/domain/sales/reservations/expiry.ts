/** How holds expire: a unit of work ends the holds whose time is over before it decides a command (docs/rules/holds.md). */
import { changed } from '../../../kit/documents/command.ts'
import { dueOf } from '../../../kit/documents/due.ts'
import { answerOf, theRecords } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { textIn, textOrNullIn } from '../../stock/row.ts'
import { stockOf } from '../../stock/stock-load.ts'
import { Reservation } from './noun.ts'
import { endHold } from './rules.ts'

/** A hold has at most 100 lines. So these are as many rows as one round of a bulk loads. */
const HOLDS_MAX = 20

/** The lines of the holds whose time is over, the longest overdue first. */
const dueLines = question({
  name: 'due holds',
  keys: { now: 'timestamptz' },
  sql: asked => `
    select q.tenant_id, iso(q.now) as now, h.id, v.id as item_variant_id, l.storage_place_id
    from ${asked}
    cross join lateral (
      select id from reservations
      where tenant_id = q.tenant_id and status = 'HELD' and expires_at <= q.now
      order by expires_at, id limit ${HOLDS_MAX}
    ) h
    cross join lateral (
      select item_variant_id, storage_place_id, components from reservation_items
      where tenant_id = q.tenant_id and reservation_id = h.id
    ) l
    cross join lateral (
      select l.item_variant_id as id where l.components = '[]'
      union all
      select (e.part ->> 'item_variant_id')::bigint from jsonb_array_elements(l.components) e (part)
    ) v`,
  read: rows =>
    rows.map(row => ({
      holdId: textIn(row, 'id'),
      itemVariantId: textIn(row, 'item_variant_id'),
      storagePlaceId: textOrNullIn(row, 'storage_place_id'),
    })),
})

export const expireReservations = dueOf({
  next: `iso((
    select expires_at from reservations
    where tenant_id = q.tenant_id and status = 'HELD' order by expires_at limit 1
  ))`,
  isDue: (next, { now }) => next <= now,
  isFirst: true,
  needs: ({ now }) => ({ lines: answerOf(dueLines, { now }) }),
  more: ({ lines }) => ({
    holds: theRecords(Reservation, [...new Set(lines.map(({ holdId }) => holdId))]),
    stock: stockOf({ positions: lines }),
  }),
  decide: ({ holds, stock }, work) =>
    [...holds.values()].flatMap(before => {
      const after = work.change(Reservation, endHold(stock, before, { status: 'EXPIRED' }))
      return changed(work, Reservation, { before, after, event: 'expired' }).events
    }),
})
