/**
 * The walks of the load. Each yields its writes one after another and gets the answer of each. The answers of two endpoints never have the
 * same shape, and every write has texts and a quantity that no other write has.
 */
import type { Loose } from '../support/command-context.ts'
import { expire } from './expiry.ts'
import type { Tenant } from './tenants.ts'
import type { Start, Walk } from './walk.ts'
import { change, creation, type Fields, refused, type Write } from './writes.ts'

const itemOf = ({ variantId }: Tenant, fields: object) => ({ item_variant_id: variantId, ...fields })

const adjustment = ({ tenant, quantity }: Start, key: string): Write =>
  creation(
    '/stock-adjustments',
    key,
    {
      storage_place_id: tenant.placeId,
      notes: `counted for ${key}`,
      items: [itemOf(tenant, { quantity: quantity(3) })],
    },
    { moves: { [tenant.placeId]: quantity(3) } },
  )

const salesOrder = ({ tenant, quantity }: Start, key: string): Write => {
  const fields = {
    number: key,
    notes: `sold for ${key}`,
    items: [itemOf(tenant, { quantity: quantity(2), price: 1.99, discount_percent: 12.5, tax_rate: 19 })],
    charges: [{ title: `freight of ${key}`, amount: 4.9, tax_rate: 19 }],
  }
  return creation(
    '/sales-orders',
    key,
    { customer_id: tenant.customerId, ...fields },
    { shows: { customer: { id: tenant.customerId, title: tenant.name }, ...fields } },
  )
}

/**
 * A reference is unique, so the second adjustment is refused for ever, and the refusal names the first one. A third one is reversed, and
 * its notes are changed afterwards.
 */
function* adjust(start: Start): Walk {
  const { id } = yield adjustment(start, start.mark)
  yield refused(
    { ...adjustment(start, start.mark), key: `${start.mark}-taken` },
    { status: 400, error: 'validation_failed', message: `external_ref: is taken by ${id}` },
  )
  const mistake = adjustment(start, `${start.mark}-mistake`)
  const booked = yield mistake
  const reason = `undone for ${start.mark}`
  const document = { list: '/stock-adjustments', ref: mistake.key, id: booked.id } as const
  yield change(document, {
    ...{ name: 'reverse', event: 'reversed', method: 'POST', path: `/stock-adjustments/${booked.id}/reverse` },
    ...{ body: { reason }, shows: { reversal_reason: reason } },
    moves: { [start.tenant.placeId]: -start.quantity(3) },
  })
  const noted = { metadata: { walk: start.mark } }
  yield change(document, { name: 'note', event: 'updated', body: noted, shows: noted })
}

/** There is never enough for the second transfer. */
function* transfer({ tenant, mark, quantity }: Start): Walk {
  const transferOf = (key: string, moved: number): Write =>
    creation(
      '/stock-transfers',
      key,
      {
        from_storage_place_id: tenant.placeId,
        to_storage_place_id: tenant.otherPlaceId,
        notes: `moved for ${key}`,
        items: [itemOf(tenant, { quantity: moved })],
      },
      { moves: { [tenant.placeId]: -moved, [tenant.otherPlaceId]: moved } },
    )
  yield transferOf(mark, quantity(1))
  const tooMuch = quantity(1_000_000)
  yield refused(transferOf(`${mark}-short`, tooMuch), {
    status: 409,
    error: 'insufficient_stock',
    message: `: ${tooMuch} needed`,
  })
}

/** The counted product belongs to this walk, so that no other walk moves it. */
function* count({ tenant, mark, quantity }: Start): Walk {
  const product = yield creation('/products', `${mark}-product`, { title: `Counted for ${mark}` })
  const item = { item_variant_id: product.variants[0].id }
  const fields = {
    number: mark,
    storage_place_id: tenant.placeId,
    title: `Count of ${mark}`,
    notes: `counted for ${mark}`,
  }
  const counted = (whole: number) => ({ items: [{ ...item, counted_quantity: quantity(whole) }] })
  const { id } = yield creation(
    '/stock-counts',
    mark,
    { ...fields, ...counted(2) },
    { shows: { ...fields, status: 'OPEN', line_count: 1, difference_count: 1 } },
  )
  const document = { list: '/stock-counts', ref: mark, id } as const
  yield change(document, { name: 'recount', event: 'updated', body: counted(1), shows: { line_count: 1 } })
  const complete = change(document, {
    ...{ name: 'complete', event: 'completed', method: 'POST', path: `/stock-counts/${id}/complete`, body: {} },
    shows: { status: 'DONE', difference_count: 1 },
  })
  // The adjustment has no reference of its own.
  yield { ...complete, events: [...complete.events, { type: 'stock_adjustment.created', ref: id }] }
  yield refused(
    { ...complete, key: `${mark}-late` },
    { status: 409, error: 'stock_count_not_editable', message: `the stock count ${mark} is done` },
  )
}

/** The receipt gets freight, and duty that is reversed. The freight keeps the receipt from being reversed. */
function* buy({ tenant, mark, quantity }: Start): Walk {
  const fields = {
    notes: `bought for ${mark}`,
    items: [
      itemOf(tenant, { quantity: quantity(4), price: 0.7, discount_percent: 7.5, tax_rate: 19 }),
      itemOf(tenant, { purchase_quantity: quantity(2), conversion_rate: 4, purchase_price: 2.5 }),
    ],
  }
  const order = yield creation(
    '/purchase-orders',
    mark,
    { supplier_id: tenant.supplierId, ...fields },
    { shows: { supplier: { id: tenant.supplierId, title: tenant.name }, ...fields } },
  )
  const changed = {
    notes: `changed for ${mark}`,
    items: [
      { id: order.items[0].id, quantity: quantity(5) },
      { id: order.items[1].id, purchase_quantity: quantity(3) },
    ],
  }
  yield change(
    { list: '/purchase-orders', ref: mark, id: order.id },
    { name: 'change', event: 'updated', body: changed, shows: changed },
  )
  const boxed = Number((4 * quantity(3)).toFixed(6))
  const receipt = creation('/purchase-receipts', `${mark}-receipt`, {
    storage_place_id: tenant.placeId,
    notes: `received for ${mark}`,
  })
  const received = yield {
    ...receipt,
    path: `/purchase-orders/${order.id}/receipts`,
    shows: {
      ...receipt.shows,
      purchase_order_id: order.id,
      items: [
        itemOf(tenant, { quantity: quantity(5) }),
        itemOf(tenant, { purchase_quantity: quantity(3), quantity: boxed }),
      ],
    },
    leaves: [
      ...receipt.leaves,
      { list: '/purchase-orders', ref: mark, shows: { status: 'DONE', delivery_status: 'RECEIVED' } },
    ],
    events: [...receipt.events, { type: 'purchase_order.done', ref: mark }],
    moves: { [tenant.placeId]: Number((quantity(5) + boxed).toFixed(6)) },
  }
  const landed = (key: string, amount: number): Write =>
    creation('/landed-costs', key, {
      purchase_receipt_id: received.id,
      number: key,
      notes: `landed for ${key}`,
      items: [{ title: `cost of ${key}`, amount, distribution: 'QUANTITY' }],
    })
  const freight = landed(`${mark}-freight`, quantity(2))
  yield freight
  const duty = landed(`${mark}-duty`, quantity(3))
  const { id } = yield duty
  const reason = `undone for ${mark}`
  const reversal = { name: 'reverse', event: 'reversed', method: 'POST', body: { reason } } as const
  yield change(
    { list: '/landed-costs', ref: duty.key, id },
    { ...reversal, path: `/landed-costs/${id}/reverse`, shows: { reversal_reason: reason } },
  )
  yield refused(
    change(
      { list: '/purchase-receipts', ref: receipt.key, id: received.id },
      { ...reversal, path: `/purchase-receipts/${received.id}/reverse`, shows: {} },
    ),
    { status: 409, error: 'conflict', message: `the landed cost ${freight.key} stands on this receipt` },
  )
}

const shipmentOf = ({ tenant, mark, quantity }: Start, order: Loose): Write => {
  const shipment = creation('/sales-shipments', `${mark}-shipment`, {
    items: [{ sales_order_item_id: order.items[0].id, quantity: quantity(2) }],
    carrier: `carrier of ${mark}`,
  })
  return {
    ...shipment,
    path: `/sales-orders/${order.id}/shipments`,
    shows: { ...shipment.shows, sales_order_id: order.id },
    leaves: [
      ...shipment.leaves,
      { list: '/sales-orders', ref: mark, shows: { status: 'DONE', delivery_status: 'SHIPPED' } },
    ],
    events: [...shipment.events, { type: 'sales_order.shipped', ref: mark }],
    moves: { [tenant.placeId]: -quantity(2) },
  }
}

function* sell(start: Start): Walk {
  const { mark } = start
  const order = yield salesOrder(start, mark)
  const document = { list: '/sales-orders', ref: mark, id: order.id } as const
  const fields = { notes: `changed for ${mark}`, priority: 7 }
  yield change(document, { name: 'change', event: 'updated', body: fields, shows: fields })
  const shipment = shipmentOf(start, order)
  const { id } = yield shipment
  const parcel = { tracking_number: `parcel of ${mark}`, notes: `shipped for ${mark}` }
  yield change(
    { list: '/sales-shipments', ref: shipment.key, id },
    { name: 'track', event: 'updated', body: parcel, shows: parcel },
  )
  yield refused(change(document, { name: 'late', event: 'updated', body: { priority: 8 }, shows: {} }), {
    status: 409,
    error: 'sales_order_not_editable',
    message: `The sales order ${mark} is DONE`,
  })
}

/** All returns together refund the total of the order: a piece that comes back, money for one that stays, and the rest with the freight. */
function* giveBack(start: Start): Walk {
  const { tenant, mark, quantity } = start
  const order = yield salesOrder(start, mark)
  yield shipmentOf(start, order)
  const [line, freight] = [{ sales_order_item_id: order.items[0].id }, { sales_order_charge_id: order.charges[0].id }]
  const returnOf = (key: string, fields: Fields, shows: Fields = fields) =>
    creation(
      '/sales-returns',
      key,
      { sales_order_id: order.id, number: key, notes: `given back for ${key}`, ...fields },
      { shows: { number: key, ...shows } },
    )
  const step = (
    write: Write,
    { sales_return: made }: Loose,
    name: string,
    more: Pick<Write, 'shows'> & Partial<Write> & { readonly event: string },
  ) =>
    change(
      { list: '/sales-returns', ref: write.key, id: made.id },
      { ...{ name, method: 'POST', path: `/sales-returns/${made.id}/${name}`, body: {} }, ...more },
    )
  const received = { event: 'returned', shows: { status: 'RETURNED' } }
  const total: number = order.total_amount_with_tax

  const whole = { items: [{ ...line, quantity: quantity(2) }], charges: [freight] }
  const mistake = returnOf(`${mark}-mistake`, whole, { ...whole, refund_amount_with_tax: total })
  const reason = `undone for ${mark}`
  yield step(mistake, yield mistake, 'cancel', {
    ...{ event: 'cancelled', body: { reason } },
    shows: { status: 'CANCELLED', cancellation_reason: reason },
  })
  const piece = returnOf(`${mark}-piece`, { items: [{ ...line, quantity: quantity(1) }] })
  const back = yield piece
  yield step(piece, back, 'receive', { ...received, moves: { [tenant.placeId]: quantity(1) } })
  const paidBack = (amount: number) => ({ items: [{ ...line, quantity: 0, amount }] })
  const money = returnOf(`${mark}-money`, paidBack(0.5), { items: [{ ...line, quantity: 0, refund_amount: 0.5 }] })
  const paid = yield money
  yield step(money, paid, 'receive', received)
  const left = [back, paid].reduce((sum, { sales_return: made }) => sum - made.refund_amount_with_tax, total)
  const fields = { items: [{ ...line, quantity: 1, restock: false }], charges: [freight] }
  const rest = returnOf(`${mark}-rest`, fields, { ...fields, refund_amount_with_tax: Number(left.toFixed(2)) })
  yield step(rest, yield rest, 'receive', received)
  yield refused(returnOf(`${mark}-more`, paidBack(0.01)), {
    status: 400,
    error: 'validation_failed',
    message: 'items[0].amount',
  })
}

/** The hold lasts so long that it does not expire during a run. */
const HOLD_MS = 6 * 3_600_000

/** One hold is taken by an order, and a second order cannot take it. Another one is released, and cannot be released again. */
function* hold(start: Start): Walk {
  const { tenant, mark, quantity } = start
  const expires_at = new Date(Date.now() + HOLD_MS).toISOString()
  const holdOf = (key: string) =>
    creation('/reservations', key, {
      ...{ number: key, customer_id: tenant.customerId, expires_at, notes: `held for ${key}` },
      items: [itemOf(tenant, { quantity: quantity(2) })],
    })
  const [taken, left] = [holdOf(`${mark}-taken`), holdOf(`${mark}-left`)]
  const { id } = yield taken
  const later = { expires_at: new Date(Date.now() + 2 * HOLD_MS).toISOString(), notes: `held longer for ${mark}` }
  const document = { list: '/reservations', ref: taken.key, id } as const
  yield change(document, { name: 'longer', event: 'updated', body: later, shows: later })
  const order = salesOrder(start, mark)
  const taking = { ...order, body: { ...order.body, allow_backorder: false, reservation_id: id } }
  yield {
    ...taking,
    leaves: [...order.leaves, { list: '/reservations', ref: taken.key, shows: { ...later, status: 'CONSUMED' } }],
    events: [{ type: 'reservation.consumed', ref: taken.key }, ...order.events],
  }
  const second = salesOrder(start, `${mark}-second`)
  yield refused(
    { ...second, body: { ...second.body, reservation_id: id } },
    { status: 409, error: 'reservation_not_held', message: `the reservation ${taken.key} is CONSUMED` },
  )
  const { id: leftId } = yield left
  const step = { method: 'POST', path: `/reservations/${leftId}/release`, body: {} } as const
  const release = change(
    { list: '/reservations', ref: left.key, id: leftId },
    { ...step, name: 'release', event: 'released', shows: { status: 'RELEASED' } },
  )
  yield release
  yield refused(
    { ...release, key: `${mark}-again` },
    { status: 409, error: 'reservation_not_held', message: `the reservation ${left.key} is RELEASED` },
  )
}

function* make({ tenant, mark, quantity }: Start): Walk {
  const fields = {
    number: mark,
    quantity: quantity(3),
    notes: `made for ${mark}`,
    items: [itemOf(tenant, { quantity: quantity(2) })],
  }
  const order = yield creation('/manufacturing-orders', mark, itemOf(tenant, fields), { shows: fields })
  const document = { list: '/manufacturing-orders', ref: mark, id: order.id } as const
  yield change(document, {
    name: 'change',
    event: 'updated',
    body: { quantity: quantity(2), items: [{ id: order.items[0].id, quantity: quantity(1) }] },
    shows: { quantity: quantity(2), items: [itemOf(tenant, { quantity: quantity(1), quantity_per_unit: null })] },
  })
  const step = (name: string) =>
    ({ method: 'POST', path: `/manufacturing-orders/${order.id}/${name}`, name, body: {} }) as const
  const start = change(document, {
    ...step('start'),
    event: 'started',
    shows: { status: 'IN_PROGRESS', quantity: quantity(2) },
    moves: { [tenant.placeId]: -quantity(1) },
  })
  yield start
  yield change(document, {
    ...step('complete'),
    event: 'done',
    shows: { status: 'DONE', released_quantity: quantity(2) },
    moves: { [tenant.placeId]: quantity(2) },
  })
  yield refused(
    { ...start, key: `${mark}-late` },
    { status: 422, error: 'manufacturing_order_invalid_status', message: `the manufacturing order ${mark} is DONE` },
  )
}

/** All issued materials are taken back, and the order ends without output. */
function* giveUp({ tenant, mark, quantity }: Start): Walk {
  const fields = {
    number: mark,
    quantity: quantity(3),
    notes: `given up for ${mark}`,
    items: [itemOf(tenant, { quantity: quantity(1) })],
  }
  const order = yield creation('/manufacturing-orders', mark, itemOf(tenant, fields), { shows: fields })
  const document = { list: '/manufacturing-orders', ref: mark, id: order.id } as const
  const step = (name: string) =>
    ({ method: 'POST', path: `/manufacturing-orders/${order.id}/${name}`, name, body: {} }) as const
  yield change(document, {
    ...step('start'),
    event: 'started',
    shows: { status: 'IN_PROGRESS', quantity: quantity(3) },
    moves: { [tenant.placeId]: -quantity(1) },
  })
  const back = change(document, {
    ...step('materials'),
    event: 'updated',
    body: { items: [itemOf(tenant, { quantity: -quantity(1) })] },
    shows: { items: [itemOf(tenant, { quantity: quantity(1), actual_quantity: 0 })] },
    moves: { [tenant.placeId]: quantity(1) },
  })
  yield back
  yield change(document, {
    ...step('complete'),
    event: 'done',
    body: { quantity: 0, is_final: true },
    shows: { status: 'DONE', released_quantity: 0 },
  })
  yield refused(
    { ...back, key: `${mark}-late` },
    { status: 422, error: 'manufacturing_order_invalid_status', message: `the manufacturing order ${mark} is DONE` },
  )
}

function* describe({ mark, quantity }: Start): Walk {
  const product = yield creation('/products', mark, { title: `Product ${mark}`, description: `described for ${mark}` })
  const fields = { title: `Renamed ${mark}`, category: `of ${quantity(5)}` }
  const document = { list: '/products', ref: mark, id: product.id } as const
  yield change(document, { name: 'change', event: 'updated', body: fields, shows: fields })
}

function* meet({ mark }: Start): Walk {
  const customer = yield creation('/customers', mark, { title: `Customer ${mark}`, email: `${mark}@test.example` })
  const fields = { title: `Renamed ${mark}` }
  const document = { list: '/customers', ref: mark, id: customer.id } as const
  yield change(document, { name: 'change', event: 'updated', body: fields, shows: fields })
}

function* bulks(start: Start): Walk {
  const { mark } = start
  for (const mode of ['each', 'all'] as const) {
    const of = `${mark}-${mode}`
    const entries = [
      adjustment(start, `${of}-1`),
      salesOrder(start, `${of}-2`),
      creation('/customers', `${of}-3`, { title: `Customer ${of}` }),
    ]
    yield { mode, entries }
  }
  // A refused write makes the others fail too.
  const customer = creation('/customers', `${mark}-lost`, { title: `Customer ${mark}` })
  const taken = { ...customer, key: `${mark}-taken`, body: { ...customer.body, external_ref: `${mark}-all-3` } }
  yield {
    mode: 'all',
    entries: [
      refused(customer, { status: 424, error: 'not_applied', message: 'requests[1]' }),
      refused(taken, { status: 400, error: 'validation_failed', message: 'external_ref: is taken by ' }),
    ],
  }
}

/** More stock comes in than goes out, so that the stock of a tenant always suffices. */
export const walks = {
  adjust,
  count,
  buy,
  sell,
  giveBack,
  hold,
  make,
  giveUp,
  transfer,
  expire,
  describe,
  meet,
  bulks,
} as const
