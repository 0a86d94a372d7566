/** The journal compares an answer with what was sent: an answer that belongs to another write is a fault, whatever it looks like. */

import type { Reply } from '../support/client.ts'
import type { Loose } from '../support/command-context.ts'
import { apart } from '../support/suite.ts'
import { proveExpiry } from './expiry.ts'
import { Journal, type Sent } from './journal.ts'
import type { Tenant } from './tenants.ts'
import { change, creation, refused, type Write } from './writes.ts'

const test = apart(import.meta)

const tenant = { client: { tenantId: '7' } } as Tenant
const customer = (key: string): Write => creation('/customers', key, { title: `Customer ${key}` })
const rename = (key: string): Write =>
  change(
    { list: '/customers', ref: key, id: '1' },
    { name: 'rename', event: 'updated', body: { title: 'New' }, shows: { title: `New ${key}` } },
  )
const bodyOf = (write: Write, more: object = {}) => ({ id: '1', archived: false, ...write.shows, ...more })

function reply(status: number, body: Loose, { isReplay = false, requestId = 'req_1' } = {}): Reply {
  const headers = new Headers({ 'x-request-id': requestId, ...(isReplay ? { 'idempotent-replayed': 'true' } : {}) })
  return { status, body, headers, text: JSON.stringify(body) }
}

/** What the journal makes of the answers to one write: each verdict, and its faults. */
function heard(write: Write, ...replies: readonly (Reply | null)[]) {
  const journal = new Journal()
  const sent = journal.note(tenant, write)
  return [...replies.map(each => journal.hear(sent, each)), ...journal.faults.map(({ kind }) => kind)]
}

test('the answer to a write shows what was sent; a replay shows it again', t => {
  const [made, renamed] = [customer('a'), rename('a')]
  t.deepEqual(heard(made, reply(201, bodyOf(made)), reply(201, bodyOf(made), { isReplay: true })), ['done', 'done'])
  t.deepEqual(heard(renamed, null, reply(503, {}), reply(200, bodyOf(renamed))), ['open', 'open', 'done'])
})

test('the answer to another write is a fault: of another document, another shape or another status', t => {
  const write = customer('a')
  for (const other of [
    reply(201, bodyOf(customer('b'))),
    reply(201, { id: '2', number: 'SA-00001', items: [] }),
    reply(200, bodyOf(write)),
    reply(400, { error: 'validation_failed', message: 'external_ref: is taken by 9', request_id: 'req_1' }),
  ])
    t.deepEqual(heard(write, other), ['wrong', 'mixed up'])
  t.deepEqual(heard(rename('a'), reply(200, bodyOf(rename('b')))), ['wrong', 'mixed up'])
  t.deepEqual(heard(write, reply(500, { error: 'internal_error', request_id: 'req_1' })), ['wrong', 'other'])
})

test('a dry run that was a real write, was replayed or shows another write is a fault', t => {
  const write = customer('a')
  const dried = (body: Loose, headers: Record<string, string>) => {
    const journal = new Journal()
    const heard = journal.hearDry({ tenant, write }, { ...reply(201, body), headers: new Headers(headers) })
    return [heard, ...journal.faults.map(({ kind }) => kind), journal.acknowledged.length]
  }
  t.deepEqual(dried(bodyOf(write), { 'dry-run': 'true' }), ['done', 0])
  t.deepEqual(dried(bodyOf(write), {}), ['wrong', 'mixed up', 0])
  t.deepEqual(dried(bodyOf(customer('b')), { 'dry-run': 'true' }), ['wrong', 'mixed up', 0])
  const replayed = { ...reply(201, { results: [{ status: 201, body: bodyOf(write), replayed: true }] }) }
  const bulk = { ...replayed, headers: new Headers({ 'dry-run': 'true' }) }
  t.is(new Journal().hearDryBulk([{ tenant, write }], bulk), 'wrong')
})

test('one key that is answered twice with different bodies is a fault', t => {
  const write = customer('a')
  const twice = [reply(201, bodyOf(write)), reply(201, bodyOf(write, { id: '2' }), { isReplay: true })]
  t.deepEqual(heard(write, ...twice), ['done', 'wrong', 'mixed up'])
})

test('a write that must be refused is refused as its own; the refusal of another, or a success, is a fault', t => {
  const refusal = { status: 400, error: 'validation_failed', message: 'is taken by 9' }
  const write = refused(customer('a'), refusal)
  const body = { error: 'validation_failed', message: 'external_ref: is taken by 9', request_id: 'req_1' }
  t.deepEqual(heard(write, reply(400, body)), ['done'])
  for (const other of [
    reply(400, { ...body, message: 'external_ref: is taken by 8' }),
    reply(409, { ...body, error: 'insufficient_stock' }),
    reply(400, body, { requestId: 'req_2' }),
    reply(201, bodyOf(customer('a'))),
  ])
    t.deepEqual(heard(write, other), ['wrong', 'mixed up'])
})

test("a bulk's results are held against its entries, in their order", t => {
  const entries = [customer('a'), customer('b')]
  const resultsOf = (writes: readonly Write[]) =>
    writes.map(write => ({ idempotency_key: write.key, status: 201, replayed: false, body: bodyOf(write) }))
  const [one, two] = resultsOf(entries)
  const hear = (mode: 'each' | 'all', ...results: readonly unknown[]) => {
    const journal = new Journal()
    const sent: Sent[] = entries.map(write => journal.note(tenant, write))
    return [journal.hearBulk({ mode, entries }, sent, reply(200, { mode, results })), journal.faults.length]
  }
  t.deepEqual(hear('each', one, two), ['done', 0])
  t.deepEqual(hear('each', one, { ...two, status: 503, body: {} }), ['open', 0])
  t.deepEqual(hear('all', one, { ...two, status: 503, body: {} }), ['wrong', 1])
  t.deepEqual(hear('each', two, one), ['wrong', 2])
  t.deepEqual(hear('each', { ...one, body: two?.body }, { ...two, body: one?.body }), ['wrong', 2])
  t.deepEqual(hear('each', one), ['wrong', 1])
})

test('the proof of expiry finds what was told twice or never, and what can be sold though it expired', async t => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const batchOf = (at: number, expiry_date: string | null, is_expired: boolean) => ({
    ...{ id: `b${at}`, number: `T1-1-expire-${at}`, item_variant_id: 'v', expiry_date, is_expired },
    ...{ quantity: 2 ** at, quarantine_quantity: 0 },
  })
  /** The first batch was expired from its creation, the second expired later, and the date of the last but one was changed. */
  const batches = [
    batchOf(0, day(-10), true),
    batchOf(1, day(-2), true),
    batchOf(4, day(-10), true),
    batchOf(5, null, false),
  ]
  const level = {
    item_variant_id: 'v',
    storage_place_id: 'p',
    quantity: 51,
    expired_quantity: 19,
    reserved_quantity: 4,
  }
  const faultsOf = async ({ told = ['b1'], available = 28, first = 1, now = batches }) => {
    const journal = new Journal()
    const lists: Record<string, Loose[]> = {
      '/batches': now,
      '/availability': [{ ...level, available_quantity: available }],
      'stock.changed': [{ data: { item_variant_id: 'v', expired_quantity: first } }],
      'batch.expired': told.map(id => ({ data: { id } })),
    }
    const all = async (list: string, { type }: Record<string, string> = {}) => lists[type ?? list] ?? []
    await proveExpiry({ ...tenant, placeId: 'p' }, { all, read: async () => ({ time_zone: 'UTC' }) }, journal)
    return journal.faults.map(({ text }) => text.split(': ').slice(2).join(': '))
  }
  t.deepEqual(await faultsOf({}), [])
  t.regex((await faultsOf({ told: ['b1', 'b1'] })).join(), /T1-1-expire-1 was told 2 times, not 1/)
  t.regex((await faultsOf({ told: ['b1', 'b0'] })).join(), /T1-1-expire-0 was told 1 times, not 0/)
  t.regex((await faultsOf({ available: 47 })).join(), /available of variant v is 47/)
  t.regex((await faultsOf({ first: 3 })).join(), /T1-1-expire-1 was told 1 times, not 0/)
  const good = batches.map(batch => ({ ...batch, is_expired: batch.id === 'b0' }))
  t.regex((await faultsOf({ now: good })).join(), /T1-1-expire-1 is_expired false/)
})
