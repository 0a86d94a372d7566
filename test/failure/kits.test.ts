/**
 * Sixteen clients sell kits and their components at the same time while a worker is killed, Redis emptied and PostgreSQL restarted: nothing
 * is oversold, every kit.changed is true at its sequence, and none is missing.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { randomSource } from '../../bench/grow/plan.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import type { Reply } from '../support/client.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { KitMirror, micro } from '../support/kit-mirror.ts'
import { apart } from '../support/suite.ts'
import { attackNamed } from './attacks.ts'
import { openRig } from './rig.ts'

const test = apart(import.meta, { isSerial: true })

const CLIENTS = 16
const SEED = Number(process.env['RACE_SEED'] ?? Date.now() % 1_000_000)
/** A client aborts a request after this time, and sends the write again with its key. */
const PATIENCE_MS = 10_000
const WRITES_BETWEEN = 80

const rig = await openRig({ tenants: 1, webs: 1, webhooks: 0 })
test.after.always(() => rig.close())

test('kits and their parts are never oversold, and kit.changed is true at its sequence, whatever breaks', async t => {
  const [tenant] = rig.tenants
  if (tenant === undefined) throw new Error('the rig has no tenant')
  const { client, placeId, otherPlaceId } = tenant
  const places = [placeId, otherPlaceId]
  const figures = { done: 0, refused: 0, again: 0 }

  /** Sent until it is answered, each time with the same key. */
  const write = async (path: string, body: object, method = 'POST'): Promise<Reply> => {
    const key = randomUUID()
    for (;;) {
      const options = { body, key, signal: AbortSignal.timeout(PATIENCE_MS) }
      const reply = await client.request(method, path, options).catch(() => null)
      if (reply !== null && reply.status !== 503) {
        if (reply.status < 300) figures.done++
        else figures.refused++
        return reply
      }
      figures.again++
      await delay(100)
    }
  }
  const made = async (path: string, body: object): Promise<Loose> => {
    const { status, body: record, text } = await write(path, body)
    if (status >= 300) throw new Error(text)
    return record
  }
  const parts: string[] = []
  for (const sku of ['CUP', 'TEA', 'LID']) parts.push((await made('/products', { title: sku, sku })).variants[0].id)
  const [cup = '', tea = '', lid = ''] = parts
  for (const storage_place_id of places) {
    const items = parts.map(item_variant_id => ({ item_variant_id, quantity: 40 }))
    await made('/stock-adjustments', { storage_place_id, items })
  }
  const made_of = (...of: readonly (readonly [string, number])[]) =>
    of.map(([item_variant_id, quantity]) => ({ item_variant_id, quantity }))
  const kits = await Promise.all(
    [made_of([cup, 2], [tea, 0.5]), made_of([cup, 1], [lid, 1]), made_of([tea, 0.333333], [lid, 2], [cup, 0.25])].map(
      components => made('/products', { title: 'Kit', type: 'KIT', price: 1, components }),
    ),
  )
  const goods = [...parts, ...kits.map(({ variants }) => variants[0].id)]

  /** What is known of each order that is open, and what moved. */
  const orders = new Map<string, Loose>()
  const moved = new Map<string, bigint>()
  const move = (id: string, place: string, quantity: bigint) =>
    moved.set(`${id} ${place}`, (moved.get(`${id} ${place}`) ?? micro(40)) + quantity)

  let isOver = false
  const race = async (random: () => number): Promise<void> => {
    const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
    const line = () => ({
      item_variant_id: one(goods),
      quantity: one([1, 2, 0.5, 3, 0.333333]),
      storage_place_id: one(places),
    })
    while (!isOver) {
      const kind = Math.floor(random() * 12)
      const [id] = orders.size === 0 ? [] : [one([...orders.keys()])]
      if (kind < 5 || id === undefined) {
        const items = Array.from({ length: 1 + Math.floor(random() * 3) }, line)
        const { status, body } = await write('/sales-orders', {
          customer: { title: 'Inn' },
          allow_backorder: false,
          items,
        })
        if (status === 201) orders.set(body.id, body)
        else if (status !== 409) throw new Error(JSON.stringify(body))
      } else if (kind < 7) {
        orders.delete(id)
        const { status, body } = await write(`/sales-orders/${id}/shipments`, {})
        if (status !== 201) throw new Error(JSON.stringify(body))
        for (const { item_variant_id, quantity, storage_place_id, components } of body.items)
          for (const part of components.length > 0 ? components : [{ item_variant_id, quantity }])
            move(part.item_variant_id, storage_place_id, -micro(part.quantity))
      } else if (kind < 9) {
        orders.delete(id)
        await write(`/sales-orders/${id}`, { status: 'CANCELLED' }, 'PATCH')
      } else if (kind === 9) {
        const expires_at = new Date(Date.now() + 2_000).toISOString()
        const { storage_place_id: _place, ...item } = line()
        await write('/reservations', { expires_at, items: [item] })
      } else if (kind === 10) {
        const [item_variant_id, storage_place_id, quantity] = [one(parts), one(places), one([1, 4, 0.75])]
        await made('/stock-adjustments', { storage_place_id, items: [{ item_variant_id, quantity }] })
        move(item_variant_id, storage_place_id, micro(quantity))
      } else {
        const components = made_of([cup, one([1, 2, 0.5])], [one([tea, lid]), one([1, 0.333333])])
        await write(`/products/${one(kits).id}`, { components }, 'PATCH')
      }
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, at) => race(randomSource(SEED + at))))
  t.teardown(() => {
    isOver = true
  })
  const more = async (what: string) => {
    const wanted = figures.done + WRITES_BETWEEN
    await Promise.race([running, eventually(() => figures.done >= wanted, { what })])
  }
  await more('writes before')
  for (const name of ['a worker killed', 'Redis emptied', 'Postgres restarted', 'the only worker killed']) {
    await attackNamed(name).strike(rig)
    await more(`writes after: ${name}`)
  }
  isOver = true
  await running

  const mirror = new KitMirror(placeId)
  const wrong: string[] = []
  let count = 0
  let request: string | null = null
  for (let last = 0; ; ) {
    const { data } = (await client.get(`/events?after_sequence=${last}&limit=200`)).body
    if (data.length === 0) break
    last = data.at(-1).sequence
    for (const event of data) {
      if (event.request_id !== request) wrong.push(...differences(mirror, `before ${event.sequence}`))
      request = event.request_id
      const fault = mirror.follow(event)
      if (fault !== null) wrong.push(`${event.sequence}: ${fault}`)
      if (event.type === 'kit.changed') count++
      const isSold = event.type === 'stock.changed' || event.type === 'kit.changed'
      if (isSold && event.data.available_quantity < 0) wrong.push(`${event.sequence}: oversold`)
    }
  }
  wrong.push(...differences(mirror, 'in the end'))
  t.deepEqual(wrong, [], `seed ${SEED}`)

  const { data: rows } = (await client.get('/availability?is_kit=true&limit=200')).body
  t.deepEqual(
    new Map(rows.map((row: Loose) => [`${row.item_variant_id} ${row.storage_place_id}`, row.available_quantity])),
    mirror.expected(),
  )
  for (const id of parts)
    for (const row of (await client.get(`/availability?item_variant_id=${id}`)).body.data) {
      t.true(row.available_quantity >= 0)
      t.is(micro(row.quantity), moved.get(`${id} ${row.storage_place_id}`) ?? micro(40), `${id}, seed ${SEED}`)
    }
  t.deepEqual((await reconcile(rig.postgres.url)).faults, [])
  t.log(
    `seed ${SEED}: ${figures.done} writes, ${figures.refused} refused, ${figures.again} sent again, ${count} kit.changed`,
  )
  t.true(count > 0 && figures.refused > 0)
})

/** The differences between the rows of kits and what the events make of them. One means that an event is missing. */
function differences(mirror: KitMirror, at: string): string[] {
  const expected = mirror.expected()
  return [...new Set([...expected.keys(), ...mirror.rows.keys()])].flatMap(key =>
    expected.get(key) === mirror.rows.get(key)
      ? []
      : [`${at}: ${key} is ${expected.get(key)}, told ${mirror.rows.get(key)}`],
  )
}
