/** The lines of a count that commands load: those that a body names, and those with a difference. */
import { refuse } from '../../../kit/api/errors.ts'
import type { Need } from '../../../kit/documents/needs.ts'
import { NextUnit, NotLoaded } from '../../../kit/documents/next-unit.ts'
import { question } from '../../../kit/documents/question.ts'
import { recordFrom, selected } from '../../../kit/documents/statements.ts'
import type { Work } from '../../../kit/documents/work.ts'
import type { TextRow } from '../../../platform/postgres/round-trip.ts'
import { type CountEntry, type CountLine, StockCountItem } from './noun.ts'

const lineFrom = (row: TextRow): CountLine => recordFrom(StockCountItem.columns, row) as CountLine

/**
 * The id of the line of a variant and batch; null if there is none. It is looked up by the id of the batch (`0`: without a batch) or by its
 * number, as the body has it.
 */
const countedLine = question({
  name: 'lines of stock counts',
  keys: { count: 'bigint', variant: 'bigint', batch: 'bigint', number: 'text' },
  sql: asked => `
    select q.tenant_id, q.count, q.variant, q.batch, q.number, ${selected(StockCountItem.columns, 'l')}
    from ${asked}
    cross join lateral (
      select case when q.number = '' then q.batch else (
        select id from batches where tenant_id = q.tenant_id and item_variant_id = q.variant and number = q.number limit 1
      ) end as batch_key
    ) b
    cross join lateral (
      select * from stock_count_items
      where tenant_id = q.tenant_id and stock_count_id = q.count and item_variant_id = q.variant and batch_key = b.batch_key
      limit 1
    ) l`,
  read: ([row], work) => {
    if (row === undefined) return null
    const line = lineFrom(row)
    work.put(StockCountItem, line.id, line)
    return line.id
  },
})

type Named = Pick<CountEntry, 'item_variant_id' | 'batch_id' | 'batch_number'>

const keyOf = (count: string, { item_variant_id: variant, batch_id: batch, batch_number: number }: Named) => ({
  count,
  variant,
  batch: number === null ? (batch ?? '0') : '0',
  number: number ?? '',
})

/** Finds the line of an entry; null if the count has none. */
export type FindLine = (entry: Named) => CountLine | null

/**
 * The lines of a body's entries. @throws NextUnit for a line that an earlier command of the unit of work removed: its row is deleted at the
 * end of the unit, so a new row for it cannot be written in this unit.
 */
export const linesOf = (countId: string, entries: readonly Named[]): Need<FindLine> => ({
  ask: (load, tenantId) => {
    for (const entry of entries) countedLine.ask(load, tenantId, keyOf(countId, entry))
  },
  see: work => entry => {
    const id = work.answer(countedLine, keyOf(countId, entry))
    if (id === null) return null
    const line = work.find(StockCountItem, id)
    if (line === null) throw new NextUnit(`the line ${id} was taken out in this unit of work`)
    return line
  },
})

/** Adds a line. Later commands find it by the id of its batch, and by the number. */
export function addLine(work: Work, line: CountLine): void {
  work.make(StockCountItem, line)
  const { stock_count_id: count, item_variant_id, batch_id, batch_number } = line
  const names = [{ batch_id, batch_number: null }, ...(batch_number === null ? [] : [{ batch_id: null, batch_number }])]
  for (const name of names) work.changeAnswer(countedLine, keyOf(count, { item_variant_id, ...name }), line.id)
}

/**
 * The most lines with a difference in a unit with other tenants. The body does not say how many there are. A count with more lines is found
 * out here and is completed alone.
 */
const TOGETHER_MAX = 100

const differencesOf = (name: string, limit: string) =>
  question({
    name,
    keys: { count: 'bigint' },
    sql: asked => `
      select q.tenant_id, q.count, ${selected(StockCountItem.columns, 'l')}
      from ${asked}
      cross join lateral (
        select * from stock_count_items
        where tenant_id = q.tenant_id and stock_count_id = q.count and difference <> 0
        order by id ${limit}
      ) l
      order by l.id`,
    read: rows => rows.map(lineFrom),
    reads: [StockCountItem.table],
  })
const all = differencesOf('all differences of stock counts', 'offset 0')
const some = differencesOf('differences of stock counts', `limit ${TOGETHER_MAX + 1}`)

const tooMany = refuse('unprocessable', 'the stock count has too many differences')

/** The lines with a difference, in their order. @throws NotLoaded for too many lines, unless the command runs alone. */
export function differences(countId: string): Need<readonly CountLine[]> {
  let asked = some
  return {
    ask: (load, tenantId) => {
      asked = load.isAlone ? all : some
      asked.ask(load, tenantId, { count: countId })
    },
    see: work => {
      const found = work.answer(asked, { count: countId })
      if (asked === some && found.length > TOGETHER_MAX) throw new NotLoaded('the count has many differences', tooMany)
      return found
    },
  }
}
