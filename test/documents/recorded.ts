/**
 * A shop in which one record of each noun with an `external_ref` can be made: by the example of its POST, unless `requests` has another.
 */
import type { CommandEndpoint, Endpoint } from '../../lib/kit/api/endpoint.ts'
import type { AnyDocument } from '../../lib/kit/documents/document.ts'
import { type AnyNoun, nameInIds } from '../../lib/kit/documents/noun.ts'
import { collected } from '../../lib/kit/documents/resources.ts'
import { endpoints, list } from '../../lib/nouns.ts'
import { fillReferences } from '../contract/world.ts'
import { type Salesroom, salesroom } from '../sales/salesroom.ts'
import type { Bench, Loose } from '../support/command-context.ts'

/** The nouns whose records have an `external_ref`. */
export const recorded: readonly AnyNoun[] = collected(list).documents.filter(
  (document: AnyDocument): document is AnyNoun => 'external_ref' in document.fields && 'scopes' in document,
)

export type Shop = Salesroom & { readonly sold: string; readonly from: string; readonly to: string }

export async function shop(bench: Bench): Promise<Shop> {
  const room = await salesroom(bench)
  const [from, to] = [await room.place('Shop'), await room.place('Store')]
  const sold = await room.variant('SOLD')
  await room.adjust([{ item_variant_id: sold, quantity: 1_000, unit_cost: 1 }])
  return { ...room, sold, from, to }
}

type Request = { readonly body: object; readonly id?: string }

const lines = ({ sold }: Shop) => ({ items: [{ item_variant_id: sold, quantity: 3 }] })

/** The request that makes a record where the example does not, or not twice. `id` is that of the record below which it is made. */
const requests: Readonly<Record<string, (shop: Shop) => Request | Promise<Request>>> = {
  product: () => ({ body: { title: 'Table' } }),
  recipe: ({ sold }) => ({ body: { item_variant_id: sold, materials: [] } }),
  supplier_item: async ({ tenant, sold }) => ({
    body: { supplier_id: (await tenant.done(named('createSupplier'), { title: 'Timber' })).id, item_variant_id: sold },
  }),
  purchase_order: shop => ({ body: { supplier: { title: 'Timber' }, ...lines(shop) } }),
  purchase_receipt: async shop => ({ body: { storage_place_id: shop.from }, id: (await bought(shop)).id }),
  landed_cost: async shop => ({
    body: {
      purchase_receipt_id: (await recordOf(shop, nounOf('purchase_receipt'))).id,
      items: [{ title: 'Freight', amount: 1 }],
    },
  }),
  reservation: shop => ({ body: { expires_at: '2026-11-22T05:00:00Z', ...lines(shop) } }),
  sales_order: shop => ({ body: { customer: { title: 'Cafe' }, ...lines(shop) } }),
  sales_shipment: async shop => ({ body: {}, id: (await shop.order(lines(shop).items)).id }),
  sales_packing: async shop => ({ body: {}, id: (await shop.order(lines(shop).items)).id }),
  sales_return: async shop => {
    const order = await shop.order(lines(shop).items)
    await shop.ship(order)
    return { body: { sales_order_id: order.id, items: [{ sales_order_item_id: order.items[0].id, quantity: 1 }] } }
  },
}

const exampleOf = (endpoint: Endpoint, { sold, from, to }: Shop): Request => ({
  body: fillReferences(endpoint as CommandEndpoint, {
    item_variant_id: () => sold,
    storage_place_id: () => from,
    from_storage_place_id: () => from,
    to_storage_place_id: () => to,
  }) as object,
})

const nounOf = (kind: string): AnyNoun => recorded.find(noun => noun.kind === kind) as AnyNoun

const bought = (shop: Shop): Promise<Loose> =>
  shop.tenant.done(named('createPurchaseOrder'), { supplier: { title: 'Timber' }, ...lines(shop) })

const named = (...ids: string[]): Endpoint => {
  const [found] = ids.flatMap(id => endpoints.filter(endpoint => endpoint.id === id))
  if (found === undefined) throw new Error(`there is no endpoint ${ids.join(' or ')}`)
  return found
}

/** What makes records of the noun. */
export const creating = (noun: AnyNoun): Endpoint =>
  named(`create${nameInIds(noun)}`, `create${nameInIds({ kind: noun.kind.replace('sales_', '') })}`)

/** The request that makes a record of the noun. */
export async function creationOf(
  shop: Shop,
  noun: AnyNoun,
): Promise<{ readonly endpoint: Endpoint; readonly body: object; readonly params: Record<string, string> }> {
  const endpoint = creating(noun)
  const { body, id }: Request = (await requests[noun.kind]?.(shop)) ?? exampleOf(endpoint, shop)
  return { endpoint, body, params: id === undefined ? {} : { id } }
}

export async function recordOf(shop: Shop, noun: AnyNoun, extra: object = {}): Promise<Loose> {
  const { endpoint, body, params } = await creationOf(shop, noun)
  return headOf(noun, await shop.tenant.done(endpoint, { ...body, ...extra }, params))
}

/** The record without its lines. */
export const headOf = ({ envelope }: AnyNoun, record: Loose): Loose => (envelope === null ? record : record[envelope])

/** The endpoint that changes a record. Packings have none. */
export const changeOf = (noun: AnyNoun): Endpoint | undefined =>
  noun.kind === 'sales_packing' ? undefined : named(`update${nameInIds(noun)}`)

/** The endpoint that reads a record. Packings have none: a list below their order shows them. */
export const readOf = (noun: AnyNoun): Endpoint | undefined =>
  noun.kind === 'sales_packing' ? undefined : named(`get${nameInIds(noun)}`, 'getShipment')
