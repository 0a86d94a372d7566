/** Dry runs beside real writes of several tenants at the same time: only the real ones are written. */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import type { Loose } from '../support/command-context.ts'
import { serviceOfFile } from '../support/of-file.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile({ workers: 2 })

const DRY = { 'dry-run': 'true' }
const STOCK = 30
const ROUNDS = 40

async function shop() {
  const client = await service.tenant()
  const { variants } = (await client.post('/products', { title: 'Chair', sku: 'CHAIR' })).body
  const item_variant_id: string = variants[0].id
  await client.post('/stock-adjustments', { items: [{ item_variant_id, quantity: STOCK }] })
  const orderOf = (ref: string) => ({
    external_ref: ref,
    customer: { title: `Customer of ${ref}` },
    allow_backorder: false,
    items: [{ item_variant_id, quantity: 1 }],
  })
  return { client, orderOf }
}
type Shop = Awaited<ReturnType<typeof shop>>

const bulkOf = (client: Client, orders: readonly Loose[], headers: Record<string, string> = {}) => {
  const requests = orders.map(body => ({ method: 'POST', path: '/sales-orders', body, idempotency_key: randomUUID() }))
  return client.request('POST', '/bulk', { body: { mode: 'all', requests }, headers })
}

/**
 * Forty rounds of a real order beside a dry one and now and then bulks of both kinds, all at the same time. Returns the refs that were
 * done.
 */
async function race(t: ExecutionContext, { client, orderOf }: Shop): Promise<Loose[]> {
  const done: Loose[] = []
  const isSound = ({ status, headers, body }: Loose, isDry: boolean, ref: string) => {
    t.is(headers.get('dry-run'), isDry ? 'true' : null)
    t.true([201, 409].includes(status), JSON.stringify(body))
    if (status === 201) t.is(body.external_ref, ref)
    if (status === 201 && !isDry) done.push(body)
  }
  await Promise.all(
    Array.from({ length: ROUNDS }, async (_, at) => {
      const [real, dry] = [`real ${at}`, `dry ${at}`]
      await Promise.all([
        client.post('/sales-orders', orderOf(real)).then(reply => isSound(reply, false, real)),
        client
          .request('POST', '/sales-orders', { body: orderOf(dry), key: real, headers: DRY })
          .then(reply => isSound(reply, true, dry)),
        // The dry order has the ref of the real one: it is refused if the real one is done first.
        client.request('POST', '/sales-orders', { body: orderOf(real), headers: DRY }),
        ...(at % 8 === 0 ? [bulkOf(client, [orderOf(`${dry} a`), orderOf(`${dry} b`)], DRY)] : []),
      ])
    }),
  )
  return done
}

test('on each tenant exactly the real orders are there, as they were answered, numbered and told without a gap', async t => {
  const shops = await Promise.all(Array.from({ length: 2 }, shop))
  const all = await Promise.all(shops.map(each => race(t, each)))
  for (const [at, { client }] of shops.entries()) {
    const done = all[at] ?? []
    t.is(done.length, STOCK, 'the whole stock was promised, and none of it to a dry run')
    const orders: Loose[] = (await client.get('/sales-orders?limit=200')).body.data
    const byId = (a: Loose, b: Loose) => Number(BigInt(a.id) - BigInt(b.id))
    t.deepEqual(orders, done.toSorted(byId))
    t.deepEqual(
      orders.map(({ number }) => number),
      orders.map((_, n) => `SO-${String(n + 1).padStart(5, '0')}`),
    )
    const customers: Loose[] = (await client.get('/customers?limit=200')).body.data
    t.is(customers.length, STOCK)
    const events: Loose[] = (await client.get('/events?limit=200')).body.data
    t.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, n) => n + 1),
    )
    t.is(events.filter(({ type }) => type === 'sales_order.created').length, STOCK)
    t.deepEqual(await service.faults(client.tenantId), [])
  }
})
