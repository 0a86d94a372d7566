/** `order_status`: one order, or the orders of a kind. */
import * as v from 'valibot'
import { anyOrder, byNumber, shownManufacturingOrder, shownPurchaseOrder, shownSalesOrder } from '../orders.ts'
import { field, rowsAnswer, ToolRefusal, tool } from '../tool.ts'

const statuses = {
  sales: ['OPEN', 'DONE', 'CANCELLED'],
  purchase: ['OPEN', 'DONE'],
  manufacturing: ['NOT_STARTED', 'IN_PROGRESS', 'BLOCKED', 'PARTIALLY_DONE', 'DONE'],
} as const

export const orderStatus = tool({
  name: 'order_status',
  title: 'Status of orders',
  about:
    'One order by its number, with lines, amounts and how far it is shipped, received or made; or the orders of a kind, the newest first, ' +
    'those that are open unless a status is named.',
  scopes: ['read:sales', 'read:purchase', 'read:manufacturing'],
  anyScope: true,
  input: v.strictObject({
    kind: v.pipe(
      v.picklist(['sales', 'purchase', 'manufacturing']),
      v.description('A key needs the scope of this kind alone, in the order of the scopes.'),
    ),
    number: v.optional(field.words('The number of the order, as SO-00001.')),
    status: v.optional(
      v.pipe(
        v.picklist([...new Set(Object.values(statuses).flat())]),
        v.description(
          Object.entries(statuses)
            .map(([kind, names]) => `${kind}: ${names.join(', ')}`)
            .join('; '),
        ),
      ),
    ),
    limit: field.limit,
    cursor: field.cursor,
  }),
  output: {
    type: 'object',
    properties: { order: anyOrder, rows: { type: 'array', items: anyOrder }, next_cursor: { type: 'string' } },
  },
  run: async ({ kind, number, status, limit, cursor }, { millrace, signal }) => {
    const wanted = number === undefined ? statusesOf(kind, status) : undefined
    const listed = async (given: string | undefined) => {
      const page = { number: given, limit, cursor, order: 'desc' } as const
      return kind === 'sales'
        ? await mapped(millrace.salesOrders.list({ ...page, status: wanted as 'OPEN'[] }, { signal }), shownSalesOrder)
        : kind === 'purchase'
          ? await mapped(
              millrace.purchaseOrders.list({ ...page, status: wanted as 'OPEN'[] }, { signal }),
              shownPurchaseOrder,
            )
          : await mapped(
              millrace.manufacturingOrders.list({ ...page, status: wanted as 'BLOCKED'[] }, { signal }),
              shownManufacturingOrder,
            )
    }
    if (number === undefined) {
      const { data, next_cursor } = await listed(undefined)
      // The lines of many orders would be too much.
      const rows = data.map(({ items: _, ...order }) => order)
      return rowsAnswer(`Orders (${kind})`, rows, next_cursor)
    }
    const order = await byNumber(number, async given => (await listed(given)).data[0])
    if (order === undefined) throw new ToolRefusal('not_found', `number: no ${kind} order ${JSON.stringify(number)}`)
    return { words: `The ${kind} order.`, data: { order } }
  },
})

function statusesOf(kind: keyof typeof statuses, status: string | undefined): readonly string[] {
  const known: readonly string[] = statuses[kind]
  if (status === undefined) return known.filter(name => name !== 'DONE' && name !== 'CANCELLED')
  if (known.includes(status)) return [status]
  throw new ToolRefusal('validation_failed', `status: of ${kind} orders it is one of ${known.join(', ')}`)
}

async function mapped<T, Shown extends { items: unknown }>(
  list: PromiseLike<{ readonly data: T[]; readonly next_cursor: string }>,
  shown: (order: T) => Shown,
): Promise<{ data: { items: unknown }[]; next_cursor: string }> {
  const { data, next_cursor } = await list
  return { data: data.map(shown), next_cursor }
}
