/** Loads levels of stock with their batches: those that commands name, and those that commands may pick. */

import type { Source, Works } from '../../kit/documents/question.ts'
import { formatMicro, type Micro, parseMicro } from '../../platform/decimal.ts'
import type { Query, TextRow } from '../../platform/postgres/round-trip.ts'
import { allLevels, bareLevels } from './level-statements.ts'
import { EXPIRED_TOO, orderKey } from './pick-order.ts'
import { LEVELS_MAX } from './picking-rules.ts'
import { Asked, type PositionNeed } from './position-load.ts'
import { textIn, textOrNullIn } from './row.ts'
import type { Batch, Level, PickOrder, Reach } from './stock.ts'
import { stockPart } from './stock-part.ts'

/** A batch that a command names, by id or by the variant's number. */
export type BatchNeed = { readonly id: string } | { readonly itemVariantId: string; readonly number: string }

/** How many levels each tenant may load for picking. Tests lower it. */
export const levelsMax = {
  /** The limit for a command that runs alone. */
  alone: LEVELS_MAX,
  /** The limit for commands that run together. */
  together: 400,
}

/** A quantity that no position can hold. */
const ANY_QUANTITY = parseMicro('1000000000')

export class Levels extends Asked implements Source {
  readonly #batches: (BatchNeed & { readonly tenantId: string })[] = []
  readonly #isAlone: boolean
  /** For each position the quantity that all commands together may take. */
  readonly #wanted: Micro[] = []
  /** Each pick order of each position once. `at` is the index of the position among the needs. */
  readonly #picks = new Map<string, { readonly at: number; readonly order: PickOrder }>()

  /** `isAlone`: no other command runs in the unit. */
  constructor(isAlone: boolean) {
    super()
    this.#isAlone = isAlone
  }

  ask(tenantId: string, need: PositionNeed): void {
    const at = this.place(tenantId, need)
    if (need.take === undefined) return
    const { quantity, order } = need.take
    this.#wanted[at] = (this.#wanted[at] ?? 0n) + (quantity ?? ANY_QUANTITY)
    if (order !== null) this.#picks.set(`${at} ${orderKey(order)}`, { at, order })
  }

  askBatch(tenantId: string, need: BatchNeed): void {
    this.#batches.push({ ...need, tenantId })
  }

  query(): Query {
    const picks = [...this.#picks.values()]
    if (this.#batches.length === 0 && picks.length === 0) return { text: bareLevels, values: this.columns }
    return {
      text: allLevels,
      values: [
        ...this.columns,
        this.#batches.map(({ tenantId }) => tenantId),
        this.#batches.map(batch => ('id' in batch ? batch.id : null)),
        this.#batches.map(batch => ('id' in batch ? null : batch.itemVariantId)),
        this.#batches.map(batch => ('id' in batch ? null : batch.number)),
        picks.map(({ at }) => at + 1),
        picks.map(({ order }) => order.kind === 'quarantined'),
        picks.map(({ order }) => order.from),
        picks.map(({ at }) => formatMicro(this.#wanted[at] ?? 0n)),
        this.#isAlone ? levelsMax.alone : levelsMax.together,
        this.#isAlone,
      ],
    }
  }

  take(rows: readonly TextRow[], works: Works): void {
    this.open(works)
    for (const batch of this.#batches)
      if (!('id' in batch)) works.get(batch.tenantId)?.part(stockPart).knowNumber(batch.itemVariantId, batch.number)
    const picks = [...this.#picks.values()]
    for (const row of rows) {
      const position = this.positionOf(row, works)
      const pick = picks[Number(row['pick']) - 1]
      if (pick !== undefined) {
        position?.reaches.set(orderKey(pick.order), reachOf(row, pick.order))
        continue
      }
      const part = works.get(textIn(row, 'tenant_id'))?.part(stockPart)
      const batch = row['batch_id'] == null ? null : batchOf(row)
      if (batch !== null) part?.stock.batches.set(batch.id, batch)
      if (row['id'] != null) position?.levels.set(batch?.id ?? '', levelOf(row, batch))
    }
  }
}

/** A pick for which no level was loaded reaches the end. */
function reachOf(row: TextRow, { from }: PickOrder): Reach {
  const expiry = textOrNullIn(row, 'expiry_date') ?? EXPIRED_TOO
  const expired = textOrNullIn(row, 'quantity')
  return {
    to: row['is_end'] === 't' ? null : { expiry, batchId: textOrNullIn(row, 'batch_id') ?? '0' },
    expired: from === EXPIRED_TOO ? 0n : expired === null ? null : parseMicro(expired),
  }
}

const batchOf = (row: TextRow): Batch => ({
  id: textIn(row, 'batch_id'),
  itemVariantId: textIn(row, 'item_variant_id'),
  number: textIn(row, 'batch_number'),
  manufactureDate: textOrNullIn(row, 'manufacture_date'),
  expiryDate: textOrNullIn(row, 'expiry_date'),
})

const levelOf = (row: TextRow, batch: Batch | null): Level => ({
  id: textIn(row, 'id'),
  batch,
  quantity: parseMicro(textIn(row, 'quantity')),
  quarantine: parseMicro(textIn(row, 'quarantine_quantity')),
  reserved: parseMicro(textIn(row, 'reserved_quantity')),
  expected: parseMicro(textIn(row, 'expected_quantity')),
  changed: false,
})
