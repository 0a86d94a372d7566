/** The tenants of a rig: each has a key without limits, places, a product and partners with names of its own. */
import { randomUUID } from 'node:crypto'
import { defaultLimits, issueKey } from '../../lib/access/keys.ts'
import { createTenant } from '../../lib/access/tenants.ts'
import { scopes } from '../../lib/nouns.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import { type Client, client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'

/** The first zone of a tenant: the last zone in which a day ends. */
export const EVENING = 'Pacific/Niue'

export type Tenant = {
  /** The name of the tenant, of its supplier and of its customer. */
  readonly name: string
  readonly client: Client
  readonly sku: string
  readonly variantId: string
  /** The main place. */
  readonly placeId: string
  readonly otherPlaceId: string
  readonly supplierId: string
  readonly customerId: string
  /** The later events are those of the load. */
  readonly firstSequence: number
  /** How many walks were begun for it. */
  walks: number
}

/** `webhookUrl`: receives the events of `WEBHOOK_EVENTS`. */
export async function makeTenant(
  pool: Pool,
  { url, name, webhookUrl }: { readonly url: string; readonly name: string; readonly webhookUrl?: string },
): Promise<Tenant> {
  const tenantId = await createTenant(pool, {
    ...{ name, ownerEmail: 'owner@test.example', plan: 'pro', currency: 'EUR', timeZone: EVENING },
  })
  const key = await issueKey(pool, {
    tenantId,
    name,
    scopes: [...scopes],
    ...defaultLimits,
    ratePerMinute: 10_000_000,
    burst: 1_000_000,
    dailyDocuments: 10_000_000,
  })
  if (!key) throw new Error('no key')
  return furnish(client(url, tenantId, key), { name, ...(webhookUrl !== undefined && { webhookUrl }) })
}

/** Makes the records that a tenant of a rig needs, for a tenant that has none. */
export async function furnish(
  caller: Client,
  { name, webhookUrl }: { readonly name: string; readonly webhookUrl?: string },
): Promise<Tenant> {
  const make = async (path: string, body: object) => {
    // On a slow and busy machine the first writes may miss a short deadline.
    const key = randomUUID()
    const {
      status,
      body: made,
      text,
    } = await eventually(async () => {
      const reply = await caller.post(path, body, key)
      return reply.status !== 503 && reply
    })
    if (status !== 201 && status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return made
  }
  const sku = `SCREW-${name}`
  const place = await make('/storage-places', { title: 'First' })
  const other = await make('/storage-places', { title: 'Second' })
  const product = await make('/products', { title: 'Screw', sku, purchase_price: 0.333333 })
  const items = [{ item_variant_id: product.variants[0].id, quantity: START_STOCK }]
  await make('/stock-adjustments', { storage_place_id: place.id, items })
  const supplier = await make('/suppliers', { title: name })
  const customer = await make('/customers', { title: name })
  if (webhookUrl) await make('/webhook-subscriptions', { url: webhookUrl, events: WEBHOOK_EVENTS })
  const { headers } = await caller.get(`/customers/${customer.id}`)
  return {
    name,
    client: caller,
    sku,
    variantId: product.variants[0].id,
    placeId: place.id,
    otherPlaceId: other.id,
    supplierId: supplier.id,
    customerId: customer.id,
    firstSequence: Number(headers.get('event-sequence')),
    walks: 0,
  }
}

/** The quantity that every tenant has at its main place at first. */
export const START_STOCK = 1_000

/** Only some kinds, so that the deliveries leave processors to the attacks. */
export const WEBHOOK_EVENTS: readonly string[] = ['sales_order.created', 'manufacturing_order.done', 'product.updated']
