/** Gathers the lines and charges of one return from what a shop paid back. */
import type { PlacedCharge, PlacedLine, PlacedOrder, RefundOptions, ReturnBody, ReturnLine } from './bodies.ts'
import { type Micro, micro, minorUnit, ShopFieldError, toNumber, toText } from './decimal.ts'
import { type Mode, type Part, type Placed, pricedPart, unitPriceFor, usualPart } from './parts.ts'

/** What the shop paid back: `price` in the order's price mode. `tax` undefined: the shop does not say it. */
export type ShopMoney = { readonly price: Micro; readonly tax: Micro | undefined }

/** `isSent`: whether the pieces had left; undefined where the shop does not say so. */
export type ShopPieces = { readonly quantity: Micro; readonly restock: boolean; readonly isSent: boolean | undefined }

export class Refund {
  readonly mode: Mode
  readonly order: PlacedOrder
  /** What the shop paid back for lines and charges, with tax. */
  withTax: Micro = 0n
  readonly #options: RefundOptions
  readonly #items: ReturnLine[] = []
  readonly #charges: ReturnBody['charges'] = []
  readonly #held = new Map<string, Part & { pieces: Micro }>()

  constructor(order: PlacedOrder, options: RefundOptions) {
    this.order = order
    this.mode = { unit: minorUnit(order.currency), includesTax: order.prices_include_tax }
    this.#options = options
    const read = (value: number) => micro(value, 'returns')
    for (const { sales_return, items, charges } of options.returns ?? []) {
      if (sales_return.status === 'CANCELLED') continue
      for (const { sales_order_item_id: id, quantity, refund_amount, refund_tax_amount } of items)
        this.#hold(id, { amount: read(refund_amount), tax: read(refund_tax_amount) }, read(quantity))
      for (const { sales_order_charge_id: id, amount, tax_amount } of charges)
        this.#hold(id, { amount: read(amount), tax: read(tax_amount) }, 0n)
    }
  }

  /** Pieces of the line with this `external_ref`, or money alone where `quantity` is 0 or the pieces never left. */
  line(ref: string, of: ShopMoney & ShopPieces, field: string): void {
    const line = this.order.items.find(({ external_ref }) => external_ref === ref)
    if (line === undefined) throw new ShopFieldError(field, `the order has no line with the external_ref ${ref}`)
    const quantity = this.#haveLeft(line, of, field) ? of.quantity : 0n
    if (quantity === 0n && of.price === 0n) return
    const placed = this.#placed(line.id, line.line_amount, line.line_tax_amount)
    const said: ReturnLine = { sales_order_item_id: line.id, quantity: toNumber(quantity, field) }
    let part = quantity === 0n ? undefined : usualPart(placed, line, quantity, this.mode)
    if (part === undefined || !this.#isShops(part, of)) {
      part = this.#priced(placed, of, field)
      if (quantity === 0n) said.amount = toNumber(of.price, field)
      else {
        const price = unitPriceFor(of.price, quantity, line, this.mode)
        if (price === undefined)
          throw new ShopFieldError(field, `no price of ${toText(quantity)} pieces comes to ${toText(of.price)}`)
        said.unit_price = toNumber(price, field)
      }
    }
    if (quantity > 0n && !of.restock) said.restock = false
    this.#items.push(said)
    this.#paid(line.id, part, of, quantity)
  }

  /** A part of a charge. A return names each charge once. */
  charge(charge: PlacedCharge, of: ShopMoney, field: string): void {
    if (of.price === 0n) return
    if (this.#charges.some(({ sales_order_charge_id }) => sales_order_charge_id === charge.id))
      throw new ShopFieldError(field, 'is a second refund of one charge')
    const part = this.#priced(this.#placed(charge.id, charge.amount, charge.tax_amount), of, field)
    this.#charges.push({ sales_order_charge_id: charge.id, amount: toNumber(of.price, field) })
    this.#paid(charge.id, part, of, 0n)
  }

  findCharge(ref: string): PlacedCharge | undefined {
    return this.order.charges.find(({ external_ref }) => external_ref === ref)
  }

  chargeOf(ref: string, field: string): PlacedCharge {
    const charge = this.findCharge(ref)
    if (charge === undefined) throw new ShopFieldError(field, `the order has no charge with the external_ref ${ref}`)
    return charge
  }

  /** `paid`: all that the shop paid back, which its lines and charges must come to. `field` has it. */
  body(
    of: { readonly external_ref: string; readonly notes: string | undefined },
    paid: Micro,
    field: string,
  ): ReturnBody {
    if (paid !== this.withTax)
      throw new ShopFieldError(field, `${toText(paid)} is paid back, but the lines come to ${toText(this.withTax)}`)
    if (this.#items.length + this.#charges.length === 0)
      throw new ShopFieldError(field, 'no line or charge is refunded')
    return {
      sales_order_id: this.order.id,
      external_ref: `${this.#options.prefix ?? ''}${of.external_ref}`,
      ...(of.notes === undefined ? {} : { notes: of.notes }),
      items: this.#items,
      charges: this.#charges,
    }
  }

  #priced(placed: Placed, of: ShopMoney, field: string): Part {
    const part = pricedPart(placed, of.price, this.mode)
    if ('most' in part)
      throw new ShopFieldError(field, `${toText(of.price)} goes back, but ${toText(part.most)} is left`)
    if (!this.#isShops(part, of) && this.#options.allowTaxDifference !== true) {
      const [shops, ours] = [toText(of.tax ?? 0n), toText(part.tax)]
      throw new ShopFieldError(field, `the tax on ${toText(of.price)} is ${shops} in the shop, but ${ours} in Millrace`)
    }
    return part
  }

  /** Whether this is the shop's own money. */
  #isShops(part: Part, { price, tax }: ShopMoney): boolean {
    const inMode = this.mode.includesTax ? part.amount + part.tax : part.amount
    return inMode === price && (tax === undefined || tax === part.tax)
  }

  /** Whether the pieces have left the house: no others may come back. */
  #haveLeft(line: PlacedLine, { quantity, isSent }: ShopPieces, field: string): boolean {
    if (isSent === false || quantity === 0n) return false
    const away = micro(line.shipped_quantity, 'shipped_quantity') - (this.#held.get(line.id)?.pieces ?? 0n)
    if (away >= quantity) return true
    if (away <= 0n && isSent === undefined) return false
    throw new ShopFieldError(field, `${toText(quantity)} are refunded, but ${toText(away)} have been shipped`)
  }

  #placed(id: string, amount: number, tax: number): Placed {
    const { pieces = 0n, ...held } = this.#held.get(id) ?? { amount: 0n, tax: 0n }
    return { charged: { amount: micro(amount, 'amount'), tax: micro(tax, 'tax_amount') }, held, heldPieces: pieces }
  }

  #paid(id: string, part: Part, of: ShopMoney, pieces: Micro): void {
    this.withTax += this.mode.includesTax ? of.price : of.price + (of.tax ?? part.tax)
    this.#hold(id, part, pieces)
  }

  #hold(id: string, { amount, tax }: Part, pieces: Micro): void {
    const held = this.#held.get(id) ?? { amount: 0n, tax: 0n, pieces: 0n }
    this.#held.set(id, { amount: held.amount + amount, tax: held.tax + tax, pieces: held.pieces + pieces })
  }
}
