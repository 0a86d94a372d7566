/**
 * A program of a user of the client, as test/client/package.test.ts runs it: it makes orders, six at a time, and follows the events, while
 * the service is killed and started again. It prints a line for each order, and at the end the events that it got.
 */
import { Millrace } from '../../client/src/index.ts'

const [, , baseUrl = '', token = '', variantId = '', customerId = ''] = process.argv
const ORDERS = 60
const millrace = new Millrace({ baseUrl, token, maxRetries: 12 })

const told: { readonly sequence: number; readonly id: unknown }[] = []
const { data: before } = await millrace.events.list({ order: 'desc', limit: 1 })
const following = (async () => {
  for await (const event of millrace.events.stream({
    type: 'sales_order.created',
    after_sequence: before[0]?.sequence ?? 0,
  })) {
    const { id } = event.data
    if (told.push({ sequence: event.sequence, id }) === ORDERS) return
  }
})()

const waiting = Array.from({ length: ORDERS }, (_, n) => n)
const made: string[] = []
const makeOrders = async () => {
  for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
    const items = [{ item_variant_id: variantId, quantity: 1 }]
    const order = await millrace.salesOrders.create({ customer_id: customerId, items, notes: `order ${n}` })
    made.push(order.id)
    console.log(`made ${order.number}`)
  }
}
await Promise.all(Array.from({ length: 6 }, makeOrders))
await following
console.log(JSON.stringify({ node: process.version, made, told }))
