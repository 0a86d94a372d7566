/** The movements of a document that is to be reversed. */

import { refuse } from '../../../kit/api/errors.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import { NotLoaded } from '../../../kit/documents/next-unit.ts'
import { question } from '../../../kit/documents/question.ts'
import { type Cost, type Micro, parseCost, parseMicro } from '../../../platform/decimal.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { textIn, textOrNullIn } from '../row.ts'
import type { Where } from '../stock.ts'

/** A movement that a document booked. Quantity and value are signed. */
export type Booked = Where & {
  readonly batchId: string | null
  readonly kind: string
  readonly quantity: Micro
  /** Whether the goods went into quarantine, or came out of it. */
  readonly quarantine: boolean
  readonly value: Cost
}

/**
 * The most movements of a document that is reversed in a unit with other tenants. The body does not say how many there are. A document with
 * more movements is found out here and is reversed alone.
 */
const TOGETHER_MAX = 100

const movementsOf = (name: string, limit: string) =>
  question({
    name,
    keys: { id: 'bigint' },
    sql: asked => `
      select q.tenant_id, q.id, m.item_variant_id, m.storage_place_id, m.batch_id, m.kind, m.quantity, m.quarantine_quantity, m.value
      from ${asked}
      cross join lateral (
        select * from stock_movements where tenant_id = q.tenant_id and source_id = q.id order by id ${limit}
      ) m
      order by m.id desc`,
    read: rows => rows.map(bookedOf),
  })
const all = movementsOf('all movements of documents', 'offset 0')
const some = movementsOf('movements of documents', `limit ${TOGETHER_MAX + 1}`)

const tooMany = refuse('unprocessable', 'the document has too many movements')

const bookedOf = (row: TextRow): Booked => ({
  itemVariantId: textIn(row, 'item_variant_id'),
  storagePlaceId: textOrNullIn(row, 'storage_place_id'),
  batchId: textOrNullIn(row, 'batch_id'),
  kind: textIn(row, 'kind'),
  quantity: parseMicro(textIn(row, 'quantity')),
  quarantine: parseMicro(textIn(row, 'quarantine_quantity')) !== 0n,
  value: parseCost(textIn(row, 'value')),
})

/** The movements of the document, the last first. @throws NotLoaded for too many of them, unless the command runs alone. */
export function bookedBy(id: string): Need<readonly Booked[]> {
  let asked = some
  return {
    ask: (load, tenantId) => {
      asked = load.isAlone ? all : some
      asked.ask(load, tenantId, { id })
    },
    see: work => {
      const found = work.answer(asked, { id })
      if (asked === some && found.length > TOGETHER_MAX) throw new NotLoaded('the document has many movements', tooMany)
      return found
    },
  }
}
