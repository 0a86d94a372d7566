/**
 * How batches expire. Soon after their last day has ended in the tenant's time zone, units of work without commands add the events, some
 * batches at a time (docs/rules/batches.md, "Expiry"). Commands and reads go by the clock and do not wait for the events.
 */

import { dayIn } from '../../../kit/days.ts'
import { changed } from '../../../kit/documents/command.ts'
import { dueOf } from '../../../kit/documents/due.ts'
import { always, answerOf, theRecords } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { flagIn, textIn, textOrNullIn } from '../row.ts'
import { positionOf } from '../stock.ts'
import { stockOf } from '../stock-load.ts'
import { Batch } from './noun.ts'
import { judgedOn } from './rules.ts'

/** The most batches in one unit of work. The number is part of the SQL text, so that PostgreSQL reads them in the order of the index. */
const BATCHES_MAX = 400

/**
 * The batches that have expired and have no event yet, the earliest first; then those that are good again because the time zone changed.
 */
const turnedBatches = question({
  name: 'turned batches',
  keys: { today: 'text' },
  sql: asked => `
    select q.tenant_id, q.today, b.id, b.item_variant_id, l.storage_place_id, l.id is not null as has_entry
    from ${asked}
    cross join lateral (
      (
        select id, item_variant_id, expiry_date from batches
        where tenant_id = q.tenant_id and not expired and expiry_date < q.today::date
        order by expiry_date, id limit ${BATCHES_MAX}
      ) union all (
        select id, item_variant_id, expiry_date from batches
        where tenant_id = q.tenant_id and expired and expiry_date >= q.today::date
        order by expiry_date, id limit ${BATCHES_MAX}
      )
    ) b
    left join lateral (
      select id, storage_place_id from stock_levels where tenant_id = q.tenant_id and batch_id = b.id offset 0
    ) l on true
    order by b.expiry_date, b.id`,
  read: rows =>
    rows.map(row => ({
      batchId: textIn(row, 'id'),
      itemVariantId: textIn(row, 'item_variant_id'),
      storagePlaceId: textOrNullIn(row, 'storage_place_id'),
      hasEntry: flagIn(row, 'has_entry'),
    })),
})

/** The first batches with all their entries, up to `rows` rows, but at least one batch. */
function firstOf<R extends { readonly batchId: string }>(all: readonly R[], rows: number): readonly R[] {
  const last = all[rows - 1]?.batchId
  if (last === undefined) return all
  const whole = all.slice(
    0,
    all.findIndex(({ batchId }) => batchId === last),
  )
  return whole.length > 0 ? whole : all.filter(({ batchId }) => batchId === last)
}

export const expireBatches = dueOf({
  next: `(
    select concat(first.expiry_date, ' ', last.expiry_date) from (select true) as one
    left join lateral (
      select expiry_date from batches where tenant_id = q.tenant_id and not expired and expiry_date is not null order by expiry_date limit 1
    ) first on true
    left join lateral (
      select expiry_date from batches where tenant_id = q.tenant_id and expired and expiry_date is not null order by expiry_date desc limit 1
    ) last on true
  )`,
  isDue: (next, { tenant, now }) => {
    const [first = '', last = ''] = next.split(' ')
    if (first === '' && last === '') return false
    const today = dayIn(tenant.timeZone, now)
    return (first !== '' && first < today) || last >= today
  },
  isFirst: false,
  needs: ({ tenant, now }, rows) => {
    const today = dayIn(tenant.timeZone, now)
    return { turned: answerOf(turnedBatches, { today }), today: always(today), rows: always(rows) }
  },
  more: ({ turned, rows }) => {
    const entries = firstOf(turned, rows)
    const ids = [...new Set(entries.map(({ batchId }) => batchId))]
    return {
      entries: always(entries),
      batches: theRecords(Batch, ids),
      stock: stockOf({ positions: entries.filter(({ hasEntry }) => hasEntry), batches: ids.map(id => ({ id })) }),
    }
  },
  decide: ({ entries, batches, stock, today }, work) => {
    // The events follow from the loaded positions. The entries themselves change too, because they show that they have expired.
    for (const entry of entries) {
      const level = entry.hasEntry ? positionOf(stock, entry).levels.get(entry.batchId) : undefined
      if (level !== undefined) level.changed = true
    }
    return [...batches.values()].flatMap(before => {
      const judged = judgedOn(today, before)
      const after = work.change(Batch, { ...judged, expired: judged.is_expired })
      const event = after.expired ? 'expired' : 'updated'
      return changed(work, Batch, { before: { ...before, is_expired: !after.expired }, after, event }).events
    })
  },
})
