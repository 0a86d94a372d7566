/**
 * The stock in a unit of work: that of each tenant, taken back with its command, told of by `stock.changed` and written at
 * the end (ledger-statement.ts).
 */
import type { DomainEvent } from '../../kit/api/endpoint.ts'
import { dayIn } from '../../kit/days.ts'
import type { PartKind, Work } from '../../kit/documents/work.ts'
import { productInStock } from '../catalogue/in-stock.ts'
import { placeInUse } from '../places/in-use.ts'
import { ledgerIds, writeLedger } from './ledger-statement.ts'
import {
  type Batch,
  hasChangedLevel,
  type Position,
  positionKey,
  type Stock,
  type Variant,
  type Where,
} from './stock.ts'
import { stockChanges, turnedChanges } from './stock-changed.ts'

type OpenStock = Stock & {
  readonly variants: Map<string, Variant>
  readonly positions: Map<string, Position>
}

class StockPart {
  readonly stock: OpenStock
  readonly #numbers = new Set<string>()

  constructor(work: Work) {
    const { timeZone } = work.tenant
    this.stock = {
      timeZone,
      now: work.now,
      today: dayIn(timeZone, work.now),
      variants: new Map(),
      batches: new Map<string, Batch>(),
      newBatches: [],
      positions: new Map(),
      movements: [],
      takeId: () => work.newId(),
      undo: how => work.undo(how),
      touched: new Map(),
      forget: ({ itemVariantId, storagePlaceId }) => {
        const variant = this.stock.variants.get(itemVariantId)
        if (variant) work.dropAnswer(productInStock, { id: variant.itemId })
        if (storagePlaceId !== null) work.dropAnswer(placeInUse, { id: storagePlaceId })
      },
      isKnownNumber: (itemVariantId, number) => this.#numbers.has(`${itemVariantId} ${number}`),
    }
  }

  /** A position that was asked for, made without stock where no other source of the load has made it. */
  open({ itemVariantId, storagePlaceId }: Where): void {
    if (this.stock.positions.has(positionKey({ itemVariantId, storagePlaceId }))) return
    const state = {
      quantity: 0n,
      quarantine: 0n,
      expired: 0n,
      toldExpired: 0n,
      value: 0n,
      isStored: false,
      changed: false,
    }
    const loaded = { levels: new Map(), reaches: new Map() }
    const position: Position = { itemVariantId, storagePlaceId, ...loaded, ...state }
    this.stock.positions.set(positionKey(position), position)
  }

  /** The batch of this number was asked for: it is in the stock, or there is none. */
  knowNumber(itemVariantId: string, number: string): void {
    this.#numbers.add(`${itemVariantId} ${number}`)
  }

  turn(): readonly DomainEvent[] {
    return turnedChanges(this.stock)
  }

  takeEvents(): readonly DomainEvent[] {
    const events = stockChanges(this.stock)
    this.stock.touched.clear()
    return events
  }

  get isChanged(): boolean {
    const { newBatches, positions } = this.stock
    return newBatches.length > 0 || positions.values().some(position => position.changed || hasChangedLevel(position))
  }
}

export const stockPart: PartKind<StockPart> = {
  make: work => new StockPart(work),
  takeEvents: part => part.takeEvents(),
  turn: part => part.turn(),
  write: (parts, ids) => {
    const changed = parts.filter(({ part }) => part.isChanged)
    return changed.length === 0 ? [] : [writeLedger(changed, ids)]
  },
  idsOf: ledgerIds,
}
