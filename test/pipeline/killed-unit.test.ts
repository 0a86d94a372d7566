/** A worker is killed in the middle of a unit of work over many tenants: every command is answered, and has its effect once. */
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import * as v from 'valibot'
import { rows } from '../../lib/platform/postgres/postgres.ts'
import { reconcile } from '../../lib/tools/reconcile/reconcile.ts'
import { isAtLength } from '../at-length.ts'
import { type Answer, ask, type FleetTenant } from '../scaling/fleet.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/processes.ts'
import { column } from '../support/records.ts'
import { startService } from '../support/service.ts'
import { apart } from '../support/suite.ts'
import { heldFleet } from './held-fleet.ts'

const test = apart(import.meta, { isSerial: true })
const longTest = isAtLength ? test : test.skip

const TENANTS = 16
/** A unit is held after it has this many tenants. */
const MANY = 8

/** Triggers hold units of work, by an advisory lock for which they wait. */
const {
  services,
  env,
  web,
  pool,
  tenant: newTenant,
  startWorker,
  redis,
  hold,
} = await heldFleet(`
  create function lift_timeout() returns trigger language plpgsql as $$
  begin
    perform set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true);
    return null;
  end $$;
  create trigger lift_timeout after insert or update on stock_levels for each statement execute function lift_timeout();
  create trigger lift_timeout after insert or update on items for each statement execute function lift_timeout();
  create function hold_unit() returns trigger language plpgsql as $$
  begin
    if (select count(distinct tenant_id) from told) >= ${MANY} then perform pg_advisory_xact_lock_shared(1); end if;
    if exists (select from told where body like '%deadly%') then perform pg_advisory_xact_lock_shared(2); end if;
    return null;
  end $$;
  create trigger hold_unit after insert on events referencing new table as told for each statement execute function hold_unit();
  create function hold_commit() returns trigger language plpgsql as $$
  begin
    if pg_try_advisory_xact_lock_shared(3) then return null; end if;
    if (select count(distinct tenant_id) from events where xmin = pg_current_xact_id()::xid) >= ${MANY} then
      perform pg_advisory_xact_lock_shared(3);
    end if;
    return null;
  end $$;
  create constraint trigger hold_commit after insert on events deferrable initially deferred for each row execute function hold_commit()`)

type Company = FleetTenant & { readonly productId: string; readonly variantId: string; readonly customerId: string }

/** A tenant with 100 pieces of one product. */
async function company(): Promise<Company> {
  const tenant = await newTenant()
  const write = async (path: string, body: unknown) => {
    const { status, body: made, text } = await ask(web, tenant.token, path, { body })
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
    return made
  }
  await write('/storage-places', { title: 'Hall' })
  const product = await write('/products', { title: 'Screw', sku: 'SCREW', purchase_price: 0.333333 })
  const variantId = product.variants[0].id
  await write('/stock-adjustments', { items: [{ item_variant_id: variantId, quantity: 100 }] })
  const { id: customerId } = await write('/customers', { title: 'Ash' })
  return { ...tenant, productId: product.id, variantId, customerId }
}

let tenants: Company[] = []
test.before(async () => {
  const preparing = await startService(services, { env })
  tenants = await Promise.all(Array.from({ length: TENANTS }, company))
  await preparing.close()
})

type Sent = { readonly tenant: Company; readonly path: string; readonly write: Required<Write> }
type Write = { readonly body: unknown; readonly key: string; readonly method?: string }

/** Commands of several kinds of one tenant: 3 pieces more, an order of 2, and another title. */
function commandsOf(tenant: Company): Sent[] {
  const sent = (path: string, body: unknown, method = 'POST') => ({
    tenant,
    path,
    write: { body, key: randomUUID(), method },
  })
  const item_variant_id = tenant.variantId
  return [
    sent('/stock-adjustments', { items: [{ item_variant_id, quantity: 1 }] }),
    sent('/sales-orders', { customer_id: tenant.customerId, items: [{ item_variant_id, quantity: 2 }] }),
    sent(`/products/${tenant.productId}`, { title: `Screw ${rounds + 1}` }, 'PATCH'),
    sent('/stock-adjustments', { items: [{ item_variant_id, quantity: 2 }] }),
  ]
}

const send = ({ tenant, path, write }: Sent): Promise<Answer> => ask(web, tenant.token, path, write)

/** Sends all commands, and resolves when all are in their tenants' queues. */
async function sendAll(all: readonly Sent[]): Promise<Promise<Answer[]>[]> {
  const answers = all.map(send)
  const tenants = [...new Set(all.map(({ tenant }) => tenant))]
  await eventually(async () => {
    const waiting = await Promise.all(tenants.map(({ id }) => redis.llen(`{s0}:t${id}:wait`)))
    return waiting.reduce((sum, n) => sum + n, 0) === all.length
  })
  return [Promise.all(answers)]
}

/** The transactions that wait for the lock, and the tenants that they hold. */
async function held(): Promise<{ pids: number[]; tenantIds: string[] }> {
  const { rows: waiting } = await hold.query(`
    select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`)
  const ids = tenants.map(({ id }) => id)
  const { rows: free } = await hold.query<{ tenant_id: string }>(
    'select tenant_id from tenant_streams where tenant_id = any ($1) for update skip locked',
    [ids],
  )
  const isFree = new Set(free.map(({ tenant_id }) => tenant_id))
  return { pids: waiting.map(({ pid }) => pid), tenantIds: ids.filter(id => !isFree.has(id)) }
}

const isGone = async (pids: readonly number[]) =>
  (await hold.query('select from pg_stat_activity where pid = any ($1)', [pids])).rowCount === 0

/** Ends the transactions as the end of their process does sooner or later. */
async function end(pids: readonly number[]): Promise<void> {
  await hold.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [pids])
  await eventually(() => isGone(pids))
}

const logged = async (tenantIds: readonly string[]): Promise<number> =>
  Number((await hold.query('select count(*) as n from commands where tenant_id = any ($1)', [tenantIds])).rows[0].n)

/** Starts a worker, and kills it when its open unit of work is held and has at least this many tenants. */
async function killInUnit(t: ExecutionContext, atLeast: number) {
  const worker = await startProcess('worker', env)
  await eventually(async () => (await held()).pids.length > 0, { what: 'a unit of work is held' })
  const open = await held()
  t.true(open.tenantIds.length >= atLeast, `it is over ${open.tenantIds.length} tenants`)
  t.is(await worker.end('SIGKILL'), null)
  // Removes its leases on the tenants, which would end after 4 s.
  await redis.del(...(await redis.keys('{s0}:ready:*:lock')))
  return open
}

let rounds = 0

/** Each command of each tenant had its effect once, in this round and in those before. */
async function proveOnce(t: ExecutionContext): Promise<void> {
  rounds++
  const shape = v.object({
    quantity: v.string(),
    reserved: v.string(),
    orders: v.string(),
    title: v.string(),
    log: v.string(),
    hasAllEvents: v.boolean(),
  })
  for (const { id, productId, variantId } of tenants) {
    const found = await pool.one(rows(shape)`
      select quantity::text, reserved_quantity::text as reserved, title,
        (select count(*) from sales_orders where tenant_id = ${id}) as orders,
        (select count(*) from commands where tenant_id = ${id}) as log,
        (select count(*) = max(sequence) and min(sequence) = 1 and max(sequence) = (select event_sequence from tenant_streams where tenant_id = ${id})
          from events where tenant_id = ${id}) as "hasAllEvents"
      from stock_levels l join items i on i.tenant_id = l.tenant_id and i.id = ${productId}
      where l.tenant_id = ${id} and item_variant_id = ${variantId}`)
    t.deepEqual(
      { ...found, quantity: Number(found.quantity), reserved: Number(found.reserved) },
      {
        ...{ quantity: 100 + 3 * rounds, reserved: 2 * rounds, orders: `${rounds}`, log: `${4 + 4 * rounds}` },
        ...{ title: `Screw ${rounds}`, hasAllEvents: true },
      },
    )
  }
  t.deepEqual((await reconcile(services.databaseUrl)).faults, [])
}

/** All commands were answered, and the same keys have the same answers again. */
async function proveAnswered(t: ExecutionContext, all: readonly Sent[], answers: readonly Answer[]): Promise<void> {
  for (const [at, { write }] of all.entries()) {
    const answer = answers[at]
    const status =
      write.method === 'PATCH' || (answer?.replayed && 'items' in (write.body as object)) ? [200, 201] : [201]
    t.true(status.includes(answer?.status ?? 0), `${answer?.status} ${answer?.text}`)
  }
  const again = await Promise.all(all.map(send))
  t.true(again.every(({ replayed }) => replayed))
  t.deepEqual(
    column(again, 'text'),
    answers.map(({ text }) => text),
  )
}

for (const { when, doesCommit, lock } of [
  { when: 'before it commits', doesCommit: false, lock: 1 },
  { when: 'while it commits, before it can answer', doesCommit: true, lock: 3 },
])
  test(`a worker killed in a unit over many tenants ${when}: nothing is lost or done twice`, async t => {
    await hold.query('select pg_advisory_lock($1)', [lock])
    const all = tenants.flatMap(commandsOf)
    const [answering] = await sendAll(all)
    const open = await killInUnit(t, MANY)
    const before = await logged(open.tenantIds)
    if (!doesCommit) await end(open.pids)
    await hold.query('select pg_advisory_unlock($1)', [lock])
    await eventually(() => isGone(open.pids))
    const committed = (await logged(open.tenantIds)) - before
    t.log(`${open.tenantIds.length} tenants held, ${committed} commands committed without a worker`)
    if (doesCommit) t.true(committed >= MANY)
    else t.is(committed, 0)
    await startWorker(t)
    await proveAnswered(t, all, (await answering) ?? [])
    await proveOnce(t)
  })

longTest('a command that kills its worker in a unit over many tenants takes no other with it', async t => {
  await hold.query('select pg_advisory_lock(2)')
  // The last tenant's command, so that many commands have gathered before it.
  const last = tenants.at(-1) as Company
  const deadly: Sent = {
    tenant: last,
    path: `/products/${last.productId}`,
    write: { body: { description: 'deadly' }, key: randomUUID(), method: 'PATCH' },
  }
  const others = tenants.slice(0, -1).flatMap(commandsOf)
  const all = [...others, ...commandsOf(last)]
  const [answering] = await sendAll([...others, deadly, ...all.slice(others.length)])
  await end((await killInUnit(t, 2)).pids)
  await end((await killInUnit(t, 1)).pids)
  await startWorker(t)
  const answers = (await answering) ?? []
  const [refused] = answers.splice(others.length, 1)
  t.is(refused?.status, 500, refused?.text)
  await proveAnswered(t, all, answers)
  await hold.query('select pg_advisory_unlock(2)')
  await proveOnce(t)
})

longTest('a worker that was frozen does not run a command whose key was refused meanwhile', async t => {
  const [tenant] = tenants
  if (!tenant) throw new Error('no tenant')
  const adjust = (quantity: number) => ({ items: [{ item_variant_id: tenant.variantId, quantity }] })
  const write = { body: adjust(-1_000_000), key: randomUUID() }
  const [dying, frozen] = await Promise.all([startProcess('web', env), startProcess('worker', env)])
  // The unit of work ends by its timeout. Its commands would run again, one tenant after another.
  await hold.query('begin')
  await hold.query('lock table tenant_streams in exclusive mode')
  const unitsThatWait = async () =>
    (await hold.query("select from pg_locks where relation = 'tenant_streams'::regclass and not granted")).rowCount
  const first = ask(dying, tenant.token, '/stock-adjustments', write).catch(() => {})
  await eventually(async () => (await unitsThatWait()) === 1)
  frozen.signal('SIGSTOP')
  const queue = (await redis.keys(`*:t${tenant.id}:active`))[0] ?? ''
  const [requestId] = await redis.lrange(queue, 0, -1)
  const { replyTo } = JSON.parse((await redis.hget(queue.replace(/active$/, requestId ?? ''), 'data')) ?? '{}')
  await eventually(async () => (await unitsThatWait()) === 0)
  await hold.query('commit')
  await dying.end('SIGKILL')
  await first
  await redis.flushdb()

  const other = await startProcess('worker', env)
  const refused = await ask(web, tenant.token, '/stock-adjustments', write)
  t.is(refused.status, 400, refused.text)
  const made = await ask(web, tenant.token, '/stock-adjustments', { body: adjust(1_000_000) })
  t.is(made.status, 201, made.text)
  await other.end('SIGTERM')
  frozen.signal('SIGCONT')
  const answer = await eventually(async () => {
    const told = (await redis.xrange(`replies:${replyTo}`, '-', '+')).flatMap(([, fields]) => fields)
    return told[told.indexOf(requestId ?? '') + 1]
  })
  t.like(JSON.parse(answer), { kind: 'refused', refusal: { refusal: 'service_unavailable' } })
  const listed = await ask(web, tenant.token, `/requests?idempotency_key=${write.key}`)
  t.deepEqual(column(listed.body.data, 'outcome'), ['refused'])
  t.is((await ask(web, tenant.token, '/stock-adjustments', write)).status, 201, 'sent again, it may run')
  await frozen.end('SIGTERM')
})
