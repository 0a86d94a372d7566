/** Makes each error happen once for the documentation: in the demo tenant, by a real cause. */
import type { RecordedError } from '../../lib/openapi/recorded-examples.ts'
import type { Loose } from '../support/command-context.ts'
import type { Client, Reply, TestService } from '../support/service.ts'

const BODY_BYTES = 2 ** 20 + 1
const FREE_PLAN_VARIANTS = 51

export async function recordErrors(
  service: TestService,
  client: Client,
): Promise<Readonly<Record<string, RecordedError>>> {
  const list = async (path: string): Promise<readonly Loose[]> => (await client.get(`${path}?limit=200`)).body.data
  const one = async (path: string, isWanted: (record: Loose) => boolean) => (await list(path)).find(isWanted)?.id
  const variants = (await list('/products')).flatMap(product => product.variants)
  const variant = (sku: string) => variants.find(candidate => candidate.sku === sku)?.id
  const [place] = await list('/storage-places')
  const [product] = await list('/products')
  const [returned] = await list('/sales-returns')
  const isDone = ({ status }: Loose) => status === 'DONE'
  const [bought, sold, made] = await Promise.all(
    ['/purchase-orders', '/sales-orders', '/manufacturing-orders'].map(path => one(path, isDone)),
  )
  const released = await one('/reservations', ({ status }) => status === 'RELEASED')
  const keyOf = async (options: object) => (await service.key(client.tenantId, options)).client
  const dripper = variant('DRP-WHT')
  const adjust = (line: object, head: object = {}) =>
    client.post('/stock-adjustments', { ...head, items: [{ item_variant_id: dripper, ...line }] })

  const provoked: readonly (readonly [string, () => Promise<Reply>])[] = [
    ['validation_failed', () => adjust({ quantity: 0 })],
    ['unauthorized', () => client.request('GET', '/products', { token: null })],
    ['forbidden', async () => (await keyOf({ scopes: ['read:catalog'] })).post('/products', { title: 'Oak table' })],
    ['not_found', () => client.get('/products/1')],
    [
      'conflict',
      async () => {
        await client.post('/suppliers', { title: 'Oak Ltd' }, 'used-twice')
        return client.post('/suppliers', { title: 'Pine Ltd' }, 'used-twice')
      },
    ],
    [
      'SUBSCRIPTION_LIMIT',
      async () => {
        const titles = Array.from({ length: FREE_PLAN_VARIANTS }, (_, n) => ({ title: `Oak table ${n}` }))
        return (await service.tenant({ plan: 'free' })).post('/products', { title: 'Oak table', variants: titles })
      },
    ],
    [
      'insufficient_stock',
      () =>
        client.post('/sales-orders', {
          customer: { title: 'Harbour Coffee Bar' },
          allow_backorder: false,
          items: [{ item_variant_id: dripper, quantity: 500 }],
        }),
    ],
    ['stock_changed', () => adjust({ counted_quantity: 20, expected_quantity: 19.5 })],
    [
      'already_reversed',
      async () => {
        const { data } = (await client.get('/stock-adjustments?reversed=true')).body
        return client.post(`/stock-adjustments/${data[0].id}/reverse`, { reason: 'Booked twice' })
      },
    ],
    [
      'purchase_receipt_not_allowed',
      () => client.post(`/purchase-orders/${bought}/receipts`, { storage_place_id: place.id }),
    ],
    ['purchase_order_not_editable', () => client.post(`/purchase-orders/${bought}/close`, {})],
    [
      'stock_count_not_editable',
      async () => {
        const { data } = (await client.get('/stock-counts?status=DONE')).body
        return client.patch(`/stock-counts/${data[0].id}`, { title: 'Shop' })
      },
    ],
    ['sales_order_not_editable', () => client.patch(`/sales-orders/${sold}`, { notes: 'Ring twice' })],
    [
      'total_mismatch',
      () =>
        client.post('/sales-orders', {
          customer: { title: 'Oak Ltd' },
          items: [{ item_variant_id: dripper, quantity: 2, price: 19.99, tax_rate: 19 }],
          expected_total_amount_with_tax: 47.57,
        }),
    ],
    ['reservation_not_held', () => client.post(`/reservations/${released}/release`, {})],
    ['sales_return_not_editable', () => client.post(`/sales-returns/${returned.sales_return.id}/cancel`, {})],
    [
      'payload_too_large',
      () => client.request('POST', '/products', { rawBody: JSON.stringify({ title: 'x'.repeat(BODY_BYTES) }) }),
    ],
    [
      'unsupported_media_type',
      () => client.request('POST', '/products', { rawBody: 'title=Oak', headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'precondition_failed',
      () =>
        client.request('PATCH', `/products/${product.id}`, {
          body: { category: 'Tables' },
          headers: { 'if-match': '"oOoN1wHcqHn5aVQxxPbFpg"' },
        }),
    ],
    ['unprocessable', () => adjust({ quantity: 1 }, { date: '2999-01-01' })],
    ['manufacturing_order_invalid_status', () => client.post(`/manufacturing-orders/${made}/start`, {})],
    [
      'manufacturing_order_transition_not_allowed',
      () => client.post('/manufacturing-orders', { item_variant_id: variant('CUP-01'), quantity: 1 }),
    ],
    [
      'rate_limited',
      async () => {
        const slow = await keyOf({ ratePerMinute: 60, burst: 1 })
        for (;;) {
          const reply = await slow.get('/products')
          if (reply.status !== 200) return reply
        }
      },
    ],
    [
      'document_quota_exceeded',
      async () => {
        const scarce = await keyOf({ dailyDocuments: 1 })
        await scarce.post('/products', { title: 'Oak table' })
        return scarce.post('/products', { title: 'Oak table' })
      },
    ],
  ]
  const errors: Record<string, RecordedError> = {}
  for (const [code, provoke] of provoked) {
    const { body, text } = await provoke()
    if (body.error !== code) throw new Error(`${code} was to be provoked, not ${text}`)
    errors[code] = body
  }
  return errors
}
