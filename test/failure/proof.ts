/**
 * The proof after an attack: every acknowledged write is there once and as it was sent, the stock is the sum of the writes, the books agree
 * with it, the events show each write once, the list of requests names it once with its events, its key replays its answer, and nothing
 * else is there. The journal gets the faults.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type Cost,
  formatCost,
  formatScaled,
  MICRO_PLACES,
  parseCost,
  parseScaled,
} from '../../lib/platform/decimal.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import type { Client } from '../support/client.ts'
import type { Loose } from '../support/command-context.ts'
import { eventually } from '../support/eventually.ts'
import { proveExpiry } from './expiry.ts'
import { lastSequence } from './follower.ts'
import { type Journal, type Sent, whereNotShown } from './journal.ts'
import type { Rig } from './rig.ts'
import { START_STOCK, type Tenant, WEBHOOK_EVENTS } from './tenants.ts'
import { type Fields, kinds, type List, refOf } from './writes.ts'

export type Proven = Pick<Rig, 'journal' | 'tenants' | 'hook'>

/** Runs after the load has ended: every write has its answer. `databaseUrls`: those of all cells. */
export async function prove(rig: Proven, databaseUrls: readonly string[]): Promise<void> {
  const { journal, tenants } = rig
  const ofTenants = Map.groupBy(journal.acknowledged, ({ tenant }) => tenant)
  // The replays come last: a replay would run a write that was lost.
  await Promise.all(
    tenants.map(async tenant => {
      const acknowledged = ofTenants.get(tenant) ?? []
      await proveDocuments(tenant, acknowledged, journal)
      await proveStock(tenant, acknowledged, journal)
      await proveBooks(tenant, journal)
      // This proof waits for the events that the service writes without a command.
      const { client } = tenant
      await proveExpiry(
        tenant,
        { all: (list, filter) => all(client, list, filter), read: path => read(client, path) },
        journal,
      )
      const events = await proveEvents(tenant, acknowledged, journal)
      await proveRequests(tenant, { acknowledged, events }, journal)
      await proveWebhooks(tenant, events, rig)
      await proveReplays(tenant, acknowledged, journal)
    }),
  )
  for (const url of databaseUrls)
    for (const fault of (await reconcile(url)).faults) journal.fault('other', 'reconcile', JSON.stringify(fault))
}

/** What a document must show, and the writes to it. */
type Expected = { readonly writes: readonly Sent[]; readonly shows: Fields }

async function proveDocuments({ client }: Tenant, acknowledged: readonly Sent[], journal: Journal): Promise<void> {
  for (const list of Object.keys(kinds) as List[]) {
    const expected = new Map<string, Expected>()
    for (const sent of acknowledged)
      for (const { ref, shows } of sent.write.leaves.filter(left => left.list === list)) {
        const before = expected.get(ref)
        expected.set(ref, { writes: [...(before?.writes ?? []), sent], shows: { ...before?.shows, ...shows } })
      }
    const found = Map.groupBy(await all(client, list), refOf)
    found.delete(null) // it was made before the load
    for (const [ref, { writes, shows }] of expected) {
      const [first, last] = [writes[0] as Sent, writes.at(-1) as Sent]
      const records = found.get(ref) ?? []
      const missing = whereNotShown(shows, records[0])
      if (records.length === 0) journal.faultOf('lost', first, `acknowledged, but not in ${list}`)
      else if (records.length > 1) journal.faultOf('doubled', first, `${records.length} of it in ${list}`, records)
      else if (missing) journal.faultOf('lost', last, `acknowledged, but in ${list} not its ${missing}`, records[0])
      found.delete(ref)
    }
    for (const [ref, records] of found)
      journal.fault('doubled', `${ref}`, `in ${list}, but never acknowledged: ${JSON.stringify(records)}`)
  }
}

async function proveStock(tenant: Tenant, acknowledged: readonly Sent[], journal: Journal): Promise<void> {
  const { client, placeId, otherPlaceId, variantId } = tenant
  const entries = await all(client, '/stock', { item_variant_id: variantId })
  for (const place of [placeId, otherPlaceId]) {
    const sum = (quantities: readonly number[]) =>
      quantities.reduce((total, quantity) => total + parseScaled(String(quantity), MICRO_PLACES), 0n)
    const moved = sum([
      place === placeId ? START_STOCK : 0,
      ...acknowledged.map(({ write }) => write.moves[place] ?? 0),
    ])
    const there = sum(entries.filter(entry => entry.storage_place_id === place).map(({ quantity }) => quantity))
    if (there === moved) continue
    const [found, wanted] = [there, moved].map(micros => formatScaled(micros, MICRO_PLACES))
    const kind = there < moved ? 'lost' : 'doubled'
    journal.fault(kind, `stock of tenant ${client.tenantId}`, `${found} at place ${place}; acknowledged were ${wanted}`)
  }
}

/** After the last entry INVENTORY is the value of the stock, WORK_IN_PROGRESS the cost of orders, and all accounts add up to 0. */
async function proveBooks({ client }: Tenant, journal: Journal): Promise<void> {
  const { data: last } = await read(client, '/journal-entries?order=desc&limit=1')
  const moment = encodeURIComponent(last[0].created_at)
  const { rows } = await read(client, `/account-balances?posted_through=${moment}`)
  const { stock_value: stock } = await read(client, `/stock-valuation?totals=true&as_of=${moment}`)
  const orders = await all(client, '/manufacturing-orders')
  const sum = (values: readonly number[]): Cost => values.reduce((total, value) => total + parseCost(String(value)), 0n)
  const balance = (isAsked: (account: string) => boolean): Cost =>
    sum(rows.filter(({ account }: Loose) => isAsked(account)).map(({ closing }: Loose) => closing))
  for (const [what, found, wanted] of [
    ['INVENTORY', balance(account => account === 'INVENTORY'), sum([stock])],
    [
      'WORK_IN_PROGRESS',
      balance(account => account === 'WORK_IN_PROGRESS'),
      sum(orders.map(({ actual_cost: { wip_cost: cost } }) => cost)),
    ],
    ['all accounts', balance(() => true), 0n],
  ] as const)
    if (found !== wanted)
      journal.fault('other', `${what} of tenant ${client.tenantId}`, `${formatCost(found)}, not ${formatCost(wanted)}`)
}

/** Every write has exactly its events, and their sequences have no gaps. */
async function proveEvents(tenant: Tenant, acknowledged: readonly Sent[], journal: Journal): Promise<Loose[]> {
  const { client, firstSequence } = tenant
  const events = await all(client, '/events', { after_sequence: String(firstSequence) })
  const gap = events.findIndex(({ sequence }, at) => sequence !== firstSequence + 1 + at)
  if (gap !== -1)
    journal.fault(
      'other',
      `events of tenant ${client.tenantId}`,
      `${events[gap].sequence}, not ${firstSequence + 1 + gap}`,
    )
  const told = Map.groupBy(events, ({ type, data }) =>
    type.startsWith('batch.') ? `${type} ${data.number}` : `${type} ${refOf(data) ?? data.stock_count_id}`,
  )
  for (const sent of acknowledged)
    for (const { type, ref } of sent.write.events) {
      const count = told.get(`${type} ${ref}`)?.length ?? 0
      if (count !== 1) journal.faultOf(count === 0 ? 'lost' : 'doubled', sent, `${count} events ${type}`)
      told.delete(`${type} ${ref}`)
    }
  for (const [name, those] of told)
    if (!/^(?:stock\.changed|batch\.expired) /.test(name))
      journal.fault('doubled', name, `an event of no acknowledged write: ${JSON.stringify(those)}`)
  return events
}

/** Each write is once in the list of requests, and each event belongs to exactly one request. */
async function proveRequests(
  tenant: Tenant,
  { acknowledged, events }: { readonly acknowledged: readonly Sent[]; readonly events: readonly Loose[] },
  journal: Journal,
): Promise<void> {
  const { client, firstSequence } = tenant
  const done = await all(client, '/requests', { outcome: 'done', order: 'asc' })
  const byKey = Map.groupBy(done, ({ idempotency_key: key }) => key)
  for (const sent of acknowledged) {
    const { key, method, path, status } = sent.write
    const rows = byKey.get(key) ?? []
    if (rows.length !== 1) journal.faultOf(rows.length === 0 ? 'lost' : 'doubled', sent, `${rows.length} in /requests`)
    else if (!isDeepStrictEqual([rows[0].method, rows[0].path, rows[0].status], [method, path, status]))
      journal.faultOf('mixed up', sent, 'another write in /requests', rows[0])
  }
  const doneIds = new Set(done.map(row => row.request_id))
  for (const { request_id: id } of await all(client, '/requests', { outcome: 'refused' }))
    if (doneIds.has(id)) journal.fault('other', `request ${id}`, 'is listed as refused and as done')
  const ofService = new Set(events.flatMap(({ actor, sequence }) => (actor === null ? [sequence] : [])))
  let last = firstSequence
  for (const { id, first_sequence: first, last_sequence: end } of done) {
    if (first === null || first <= firstSequence) continue
    while (ofService.has(last + 1)) last++
    if (first !== last + 1)
      journal.fault(
        'other',
        `requests of tenant ${client.tenantId}`,
        `${id} begins with event ${first}, not ${last + 1}`,
      )
    last = end
  }
}

/** A webhook may come twice, but both must be equal. */
async function proveWebhooks({ client }: Tenant, events: readonly Loose[], { hook, journal }: Proven): Promise<void> {
  const wanted = events.filter(({ type }) => WEBHOOK_EVENTS.includes(type))
  const arrivals = () => new Map(hook.arrivals.map(({ body }) => [body.id, body]))
  await eventually(() => wanted.every(({ id }) => arrivals().has(id)), {
    what: 'all webhooks',
  }).catch(error => journal.fault('lost', `webhooks of tenant ${client.tenantId}`, error.message))
  const arrived = arrivals()
  for (const event of wanted)
    if (arrived.has(event.id) && !isDeepStrictEqual(arrived.get(event.id), event))
      journal.fault(
        'mixed up',
        `webhook ${event.id}`,
        `${JSON.stringify(arrived.get(event.id))}, not ${JSON.stringify(event)}`,
      )
}

/** Each write is sent again with its key: it has its first answer, and no effect. */
async function proveReplays(tenant: Tenant, acknowledged: readonly Sent[], journal: Journal): Promise<void> {
  const before = await lastSequence(tenant)
  let ranAnew = 0
  for (const sent of acknowledged.filter(({ isReplayed }) => !isReplayed)) {
    const { method, path, body, key, replayStatus } = sent.write
    const reply = await eventually(async () => {
      const given = await tenant.client.request(method, path, { body, key })
      return given.status !== 503 && given
    })
    const isReplay = reply.headers.get('idempotent-replayed') === 'true'
    if (isReplay) journal.figures.replayed++
    if (reply.status < 400 && !isReplay) {
      ranAnew++
      journal.faultOf('lost', sent, 'the same key ran anew', reply.body)
    } else if (reply.status !== replayStatus || !isDeepStrictEqual(reply.body, sent.answer))
      journal.faultOf('mixed up', sent, `the same key is answered ${reply.status}`, reply.body)
    sent.isReplayed = true
  }
  const after = await lastSequence(tenant)
  if (after !== before && ranAnew === 0)
    journal.fault('doubled', `replays of tenant ${tenant.client.tenantId}`, `${after - before} events`)
}

const read = (client: Client, path: string): Promise<Loose> =>
  eventually(async () => {
    const { status, text, body } = await client.get(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return body
  })

/** The records of a list, over all its pages. */
async function all(client: Client, list: string, filter: Record<string, string> = {}): Promise<Loose[]> {
  const records: Loose[] = []
  const query = new URLSearchParams({ limit: '200', ...filter })
  for (;;) {
    const { data, next_cursor: cursor } = await read(client, `${list}?${query}`)
    records.push(...data)
    if (cursor === '') return records
    query.set('cursor', cursor)
  }
}
