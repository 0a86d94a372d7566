/**
 * The stock in a unit of work. Each tenant's postings are undone with their command, have `stock.changed` events, and are written at the
 * end (ledger-statement.ts).
 */
import type { DomainEvent } from '../../kit/api/endpoint.ts'
import type { Refusal } from '../../kit/api/errors.ts'
import { dayIn } from '../../kit/days.ts'
import type { PartKind, Work } from '../../kit/documents/work.ts'
import { productInStock } from '../catalogue/in-stock.ts'
import { refuseKitChanges } from '../catalogue/kits/available-rules.ts'
import { forgetLevels, standsInKits, turnLevels } from '../catalogue/kits/parts.ts'
import { productValues } from '../catalogue/stock-values.ts'
import { placeInUse } from '../places/in-use.ts'
import { kitChanges, kitsTouched } from './kits/kit-changes.ts'
import { Kits } from './kits/kits.ts'
import { ledgerIds, writeLedger } from './ledger-statement.ts'
import {
  availableOf,
  type Batch,
  hasChangedLevel,
  type Position,
  positionKey,
  type Stock,
  type Totals,
  totalsOf,
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
  readonly kits = new Kits()
  readonly #work: Work
  readonly #numbers = new Set<string>()
  /** Positions with an event in this unit. */
  readonly #told = new Set<Position>()

  constructor(work: Work) {
    this.#work = work
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
      bookLines: [],
      command: 0,
      takeId: () => work.newId(),
      undo: how => work.undo(how),
      touched: new Map(),
      forget: ({ itemVariantId, storagePlaceId }) => {
        const variant = this.stock.variants.get(itemVariantId)
        if (variant) {
          work.dropAnswer(productInStock, { id: variant.itemId })
          work.dropAnswer(productValues, { id: variant.itemId })
        }
        if (storagePlaceId !== null) work.dropAnswer(placeInUse, { id: storagePlaceId })
        forgetLevels(work, itemVariantId)
        this.standsInKits({ itemVariantId, storagePlaceId })
      },
      isKnownNumber: (itemVariantId, number) => this.#numbers.has(`${itemVariantId} ${number}`),
    }
  }

  /** Makes a needed position without stock, if no other source of the load has made it. */
  open({ itemVariantId, storagePlaceId }: Where): void {
    if (this.stock.positions.has(positionKey({ itemVariantId, storagePlaceId }))) return
    const state = {
      quantity: 0n,
      quarantine: 0n,
      expired: 0n,
      toldExpired: 0n,
      mayTurnSince: null,
      value: 0n,
      isStored: false,
      changed: false,
    }
    const loaded = { levels: new Map(), reaches: new Map() }
    const position: Position = { itemVariantId, storagePlaceId, ...loaded, ...state }
    this.stock.positions.set(positionKey(position), position)
  }

  /** Notes that the batch with this number was looked up: it is in the stock, or there is none. */
  knowNumber(itemVariantId: string, number: string): void {
    this.#numbers.add(`${itemVariantId} ${number}`)
  }

  /** Whether the variant is a component of kits, which are then loaded. @throws NextUnit where an earlier command changed such kits */
  standsInKits({ itemVariantId }: Where): boolean {
    return this.stock.variants.has(itemVariantId) && this.#work.answer(standsInKits, { id: itemVariantId })
  }

  turn(): readonly DomainEvent[] {
    const turned = new Map<Position, Totals>()
    const events = turnedChanges(this.stock, turned)
    for (const position of turned.keys()) {
      const { itemVariantId: id, storagePlaceId: placeId } = position
      turnLevels(this.#work, { id, placeId, available: availableOf(totalsOf(position)) })
    }
    return [...events, ...this.#kitChanges(turned)]
  }

  /** Refuses `unprocessable` for a command with events of too many kits and places. */
  refuse(): Refusal | null {
    const { touched } = this.stock
    const count = kitsTouched(this.kits, touched).length
    return refuseKitChanges(count) === null ? null : refuseKitChanges(this.#kitChanges(touched).length)
  }

  takeEvents(): readonly DomainEvent[] {
    const { touched } = this.stock
    const events = stockChanges(this.stock)
    const all = this.kits.byPart.size === 0 ? events : [...events, ...this.#kitChanges(touched)]
    for (const position of touched.keys()) this.#told.add(position)
    touched.clear()
    this.stock.command += 1
    return all
  }

  #kitChanges(touched: ReadonlyMap<Position, Totals>): readonly DomainEvent[] {
    return kitChanges(this, { touched, hadRow: position => position.isStored || this.#told.has(position) })
  }

  get isChanged(): boolean {
    const { newBatches, bookLines, positions } = this.stock
    return (
      newBatches.length + bookLines.length > 0 ||
      positions.values().some(position => position.changed || hasChangedLevel(position))
    )
  }
}

export const stockPart: PartKind<StockPart> = {
  make: work => new StockPart(work),
  refuse: part => part.refuse(),
  takeEvents: part => part.takeEvents(),
  turn: part => part.turn(),
  write: (parts, ids) => {
    const changed = parts.filter(({ part }) => part.isChanged)
    return changed.length === 0 ? [] : [writeLedger(changed, ids)]
  },
  idsOf: ledgerIds,
}
