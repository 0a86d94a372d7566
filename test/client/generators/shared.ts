/** The bulk that each generated client sends: two writes in one transaction. */
const [, , address = '', token = '', name = ''] = process.argv
export const baseUrl = address
export const headers = { Authorization: `Bearer ${token}` }

const write = (path: string, body: Readonly<Record<string, unknown>>) => ({
  method: 'POST' as const,
  path,
  idempotency_key: `${name}${path}`,
  body,
})
export const requests = [write('/customers', { title: name }), write('/products', { title: name, sku: name })]

type Result = { readonly status: number; readonly body: unknown }

export const tell = (results: readonly Result[]): void => {
  console.log(JSON.stringify(results.map(({ status, body }) => ({ status, body }))))
}
