/**
 * Clients that keep a rig busy with whole walks (adjust, transfer, buy and receive, sell and ship, make) and repeat every
 * request with the same key until it is acknowledged.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { API_PREFIX } from '../../lib/api/endpoint.ts'
import type { Rig, Tenant } from './rig.ts'

type Sent = { readonly status: number; readonly body: Record<string, unknown>; readonly replayed: boolean }

/** One POST, its answer parsed. @throws when there is none. */
export async function send(request: {
  url: string
  token: string
  path: string
  body: unknown
  key: string
  signal?: AbortSignal
}): Promise<Sent> {
  const response = await fetch(request.url + API_PREFIX + request.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${request.token}`,
      'content-type': 'application/json',
      'idempotency-key': request.key,
    },
    body: JSON.stringify(request.body),
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    replayed: response.headers.get('idempotent-replayed') === 'true',
  }
}

export type Load = {
  /** By idempotency key, of every acknowledged write: the id of the document that it made, or `id/start` for a move. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Identical requests sent on purpose beside an open one, and requests that the caller hung up on. */
  readonly figures: { duplicates: number; hangUps: number; retries: number }
  /** What was wrong with an answer. */
  readonly faults: readonly string[]
  /** Ends it once what was sent is acknowledged. */
  stop(): Promise<void>
  /** Ends it whatever becomes of what was sent. */
  giveUp(): void
}

/** One write of a walk; the next one may need what this one answered. */
type Step = (tenant: Tenant, before: Record<string, unknown>) => { readonly path: string; readonly body: unknown }

const itemsOf = (tenant: Tenant, more: Record<string, unknown>) => [{ item_variant_id: tenant.variantId, ...more }]

/** Writes that are never refused, together; in the order of their keys again and again when they are repeated. */
const bulk =
  (mode: 'each' | 'all'): Step =>
  tenant => {
    const entry = (path: string, body: unknown) => ({ method: 'POST', path, idempotency_key: randomUUID(), body })
    const items = itemsOf(tenant, { quantity: 2 })
    return {
      path: '/bulk',
      body: {
        mode,
        requests: [
          entry('/stock-adjustments', { storage_place_id: tenant.placeId, items }),
          entry('/sales-orders', { customer_id: tenant.customerId, items }),
          entry('/stock-adjustments', { storage_place_id: tenant.placeId, items }),
        ],
      },
    }
  }

/** More comes in than goes out, so that the stock grows and everything can be done most of the time. */
const walks: readonly (readonly Step[])[] = [
  [
    ({ placeId, ...tenant }) => ({
      path: '/stock-adjustments',
      body: { storage_place_id: placeId, items: itemsOf({ placeId, ...tenant }, { quantity: 3 }) },
    }),
  ],
  [
    tenant => ({
      path: '/purchase-orders',
      body: { supplier_id: tenant.supplierId, items: itemsOf(tenant, { quantity: 4, price: 0.7, tax_rate: 19 }) },
    }),
    (tenant, order) => ({
      path: `/purchase-orders/${order['id']}/receipts`,
      body: { storage_place_id: tenant.placeId },
    }),
  ],
  [
    tenant => ({
      path: '/sales-orders',
      body: { customer_id: tenant.customerId, items: itemsOf(tenant, { quantity: 2, price: 1.99, tax_rate: 19 }) },
    }),
    (_tenant, order) => ({
      path: `/sales-orders/${order['id']}/shipments`,
      body: {
        items: (order['items'] as { id: string }[]).map(({ id }) => ({ sales_order_item_id: id, quantity: 2 })),
      },
    }),
  ],
  [
    tenant => ({
      path: '/manufacturing-orders',
      body: { item_variant_id: tenant.variantId, quantity: 2, items: itemsOf(tenant, { quantity: 1 }) },
    }),
    (_tenant, order) => ({ path: `/manufacturing-orders/${order['id']}/start`, body: {} }),
    (_tenant, order) => ({ path: `/manufacturing-orders/${order['id']}/complete`, body: {} }),
  ],
  [
    tenant => ({
      path: '/stock-transfers',
      body: {
        from_storage_place_id: tenant.placeId,
        to_storage_place_id: tenant.otherPlaceId,
        items: itemsOf(tenant, { quantity: 1 }),
      },
    }),
  ],
  [bulk('each'), bulk('all')],
]

const isShortage = ({ body }: Sent): boolean =>
  body['error'] === 'insufficient_stock' || String(body['message']).startsWith('not enough ')

/** Moves of a manufacturing order answer the order itself: `1042/start`. */
const effectOf = (path: string, id: string): string => `${id}${/\/(?:start|complete)$/.exec(path)?.[0] ?? ''}`

/** Keeps lanes busy, with pauses between walks; of ten walks one has its requests doubled, one is hung up on and repeated. */
export function startLoad(rig: Rig, { lanes = 8, pauseMs = 0 } = {}): Load {
  const acknowledged = new Map<string, string>()
  const figures = { duplicates: 0, hangUps: 0, retries: 0 }
  const faults: string[] = []
  let stopped = false
  let isGivenUp = false
  const { tenant, url } = rig

  /** The answer of a success; `again` when the caller should repeat. */
  const attempt = async (
    request: ReturnType<Step>,
    key: string,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown> | 'again'> => {
    const sent = { url, token: tenant.token, ...request, key, ...(signal ? { signal } : {}) }
    const reply = await send(sent).catch(() => null)
    // What is not there yet may come: it is refused, and has no effect.
    if (reply === null || reply.status === 503 || isShortage(reply)) return 'again'
    if (reply.status !== 201 && reply.status !== 200) {
      faults.push(`${request.path}: ${reply.status} ${JSON.stringify(reply.body)}`)
      await delay(100)
      return 'again'
    }
    if (request.path === '/bulk') return noteBulk(reply.body) ? reply.body : 'again'
    note(key, effectOf(request.path, String(reply.body['id'])))
    return reply.body
  }

  const note = (key: string, id: string): void => {
    const known = acknowledged.get(key)
    if (known !== undefined && known !== id) faults.push(`one key, two documents: ${known} and ${id}`)
    acknowledged.set(key, id)
  }

  /** Whether all of it was answered. Of one transaction there is no part. */
  const noteBulk = ({ mode, results }: Record<string, unknown>): boolean => {
    const entries = results as { status: number; idempotency_key: string; body: { id: string } }[]
    const done = entries.filter(({ status }) => status === 200 || status === 201)
    for (const { idempotency_key: key, body } of done) note(key, body.id)
    const isOdd = mode === 'all' || entries.some(({ status }) => ![200, 201, 503].includes(status))
    if (done.length < entries.length && isOdd) faults.push(`a bulk (${mode}): ${JSON.stringify(entries)}`)
    return done.length === entries.length
  }

  const loop = async (lane: number) => {
    for (let n = 0; !stopped; n++) {
      let answer: Record<string, unknown> = {}
      for (const step of walks[(n + lane) % walks.length] ?? []) {
        const request = step(tenant, answer)
        const key = `${lane}-${n}-${randomUUID()}`
        const beside: Promise<unknown>[] = []
        if (n % 10 === 4) {
          figures.duplicates++
          beside.push(attempt(request, key))
        }
        if (n % 10 === 9) {
          figures.hangUps++
          await attempt(request, key, AbortSignal.timeout(1 + (n % 7)))
        }
        let result = await attempt(request, key)
        while (result === 'again' && !isGivenUp) {
          figures.retries++
          await delay(25)
          result = await attempt(request, key)
        }
        await Promise.all(beside)
        if (result === 'again') return
        answer = result
      }
      if (pauseMs > 0) await delay(pauseMs)
    }
  }
  const running = Array.from({ length: lanes }, (_, lane) => loop(lane))
  return {
    acknowledged,
    figures,
    faults,
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
    giveUp: () => {
      stopped = true
      isGivenUp = true
    },
  }
}
