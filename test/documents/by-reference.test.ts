/** Records by their external_ref: read, made and changed over HTTP, in single requests and in bulks. */
import { serviceOfFile } from '../support/of-file.ts'
import { column } from '../support/records.ts'
import type { Client } from '../support/service.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

const put = (client: Client, path: string, body: unknown, headers: Record<string, string> = {}, key?: string) =>
  client.request('PUT', path, { body, headers, ...(key === undefined ? {} : { key }) })

const typesSince = async (client: Client, sequence = 0): Promise<string[]> =>
  (await client.get(`/events?after_sequence=${sequence}`)).body.data.map(({ type }: { type: string }) => type)

for (const path of ['/products', '/customers', '/suppliers', '/storage-places'])
  test(`a PUT below ${path} makes the record of a reference, then changes it, and tells nothing where it changes nothing`, async t => {
    const client = await service.tenant()
    const at = `${path}/by-ref/${encodeURIComponent('Ä/1 ?')}`
    const missing = await client.get(at)
    t.is(missing.status, 404)
    t.regex(missing.body.message, /has this external_ref/)
    const made = await put(client, at, { title: 'One', metadata: { a: '1', b: null } })
    t.is(made.status, 201, made.text)
    t.like(made.body, { title: 'One', external_ref: 'Ä/1 ?', archived: false, metadata: { a: '1' } })
    const read = await client.get(at)
    t.is(read.text, (await client.get(`${path}/${made.body.id}`)).text)
    t.is(read.text, made.text)
    t.is(read.headers.get('etag'), made.headers.get('etag'))
    t.truthy(read.headers.get('event-sequence'))
    // The reference is normalized (NFC) and trimmed, like every text that names a record.
    t.is((await client.get(`${path}/by-ref/${encodeURIComponent(' A\u0308/1 ? ')}`)).status, 200)

    const same = await put(client, at, { title: 'One', metadata: { a: '1' } })
    t.is(same.status, 200)
    t.is(same.text, made.text)
    const changed = await put(client, at, { title: 'Two', metadata: { a: null, c: '3' } })
    t.is(changed.status, 200)
    t.like(changed.body, { id: made.body.id, title: 'Two', metadata: { c: '3' } })
    // A PUT to an existing record may leave out what POST requires.
    t.is((await put(client, at, {})).text, changed.text)
    const kind = path.slice(1, -1).replace('-', '_')
    t.deepEqual(await typesSince(client), [`${kind}.created`, `${kind}.updated`])

    const lacking = await put(client, `${path}/by-ref/other`, {})
    t.is(lacking.status, 400)
    t.regex(lacking.body.message, /^title: is required/)
    t.is(lacking.headers.get('error-fields'), 'title')
    t.regex((await put(client, at, { external_ref: 'x' })).body.message, /^external_ref: /)
  })

test('a PUT answers its recorded answer again, of a product with 200', async t => {
  const client = await service.tenant()
  for (const [path, again] of [
    ['/products/by-ref/p', 200],
    ['/customers/by-ref/c', 201],
  ] as const) {
    const made = await put(client, path, { title: 'One' }, {}, `key-${path}`)
    t.is(made.status, 201)
    const replay = await put(client, path, { title: 'One' }, {}, `key-${path}`)
    t.is(replay.status, again)
    t.is(replay.text, made.text)
    t.is(replay.headers.get('idempotent-replayed'), 'true')
    t.is((await put(client, path, { title: 'Two' }, {}, `key-${path}`)).status, 409)
  }
})

test('If-Match of a PUT means the record that is there, and is 412 where none is', async t => {
  const client = await service.tenant()
  for (const tag of ['*', '"x"']) {
    const refused = await put(client, '/customers/by-ref/c', { title: 'One' }, { 'if-match': tag })
    t.is(refused.status, 412, refused.text)
    t.is(refused.body.error, 'precondition_failed')
  }
  t.is((await client.get('/customers')).body.data.length, 0)
  const made = await put(client, '/customers/by-ref/c', { title: 'One' })
  const etag = made.headers.get('etag') ?? ''
  const changed = await put(client, '/customers/by-ref/c', { title: 'Two' }, { 'if-match': etag })
  t.is(changed.status, 200)
  t.is((await put(client, '/customers/by-ref/c', { title: 'Three' }, { 'if-match': etag })).status, 412)
  t.is((await put(client, '/customers/by-ref/c', { title: 'Three' }, { 'if-match': '*' })).status, 200)
})

test('an archived record is found, and stays so; a record can be made archived', async t => {
  const client = await service.tenant()
  const { body } = await put(client, '/products/by-ref/p', { title: 'Mug', sku: 'MUG' })
  await client.patch(`/products/${body.id}`, { archived: true })
  const changed = await put(client, '/products/by-ref/p', { title: 'Cup' })
  t.like(changed.body, { id: body.id, title: 'Cup', archived: true })
  t.like((await put(client, '/products/by-ref/p', { archived: false })).body, { archived: false })
  // Others may use its sku, like that of every archived product.
  const old = await put(client, '/products/by-ref/old', { title: 'Old', sku: 'MUG', archived: true })
  t.is(old.status, 201, old.text)
  t.is(old.body.archived, true)
  t.like((await put(client, '/customers/by-ref/c', { title: 'Gone', archived: true })).body, { archived: true })
  const main = await put(client, '/storage-places/by-ref/m', { title: 'Main', archived: true })
  t.is(main.status, 409, main.text)
})

test('variants are found by external_ref, else sku, else title; others are added, and unnamed ones stay', async t => {
  const client = await service.tenant()
  const at = '/products/by-ref/p'
  const made = await put(client, at, {
    title: 'Mug',
    variants: [
      { title: 'Small', sku: 'S', external_ref: 'v-s' },
      { title: 'Large', sku: 'L' },
      { title: 'Huge' },
      { title: 'Rest' },
    ],
  })
  t.is(made.status, 201, made.text)
  const ids = made.body.variants.map(({ id }: { id: string }) => id)
  const changed = await put(client, at, {
    variants: [
      { external_ref: 'v-s', sku: 'S-2', price: 1 },
      { sku: 'L', external_ref: 'v-l', title: 'Larger', archived: false },
      { title: 'Huge', price: 3 },
      { title: 'New', sku: 'N', archived: false },
    ],
  })
  t.is(changed.status, 200, changed.text)
  t.like(
    changed.body.variants.map(({ id, title, sku, external_ref, price }: Record<string, unknown>) => [
      ids.indexOf(id as string),
      title,
      sku,
      external_ref,
      price,
    ]),
    [
      [0, 'Small', 'S-2', 'v-s', 1],
      [1, 'Larger', 'L', 'v-l', null],
      [2, 'Huge', null, null, 3],
      [3, 'Rest', null, null, null],
      [-1, 'New', 'N', null, null],
    ],
  )
  const two = await put(client, at, { variants: [{ external_ref: 'v-s', sku: 'L' }] })
  t.is(two.status, 400)
  t.regex(two.body.message, /^variants\[0\]: names two variants/)
  const twice = await put(client, at, { variants: [{ sku: 'L' }, { external_ref: 'v-l' }] })
  t.regex(twice.body.message, /^variants\[1\]: names variant \d+, as an entry before it does/)
  t.regex((await put(client, at, { sku: 'X' })).body.message, /^sku: the product has 5 unarchived variants/)
  t.regex((await put(client, at, { type: 'MATERIAL' })).body.message, /^type: is "PRODUCT" and cannot change/)
  t.is((await put(client, at, { type: 'PRODUCT' })).text, changed.text)

  const single = await put(client, '/products/by-ref/one', { title: 'Jug', sku: 'J', price: 2 })
  const dearer = await put(client, '/products/by-ref/one', { price: 2.5 })
  t.like(dearer.body.variants, [{ id: single.body.variants[0].id, sku: 'J', price: 2.5 }])
})

test('a PUT needs both scopes', async t => {
  const owner = await service.tenant()
  const scopes = ['write:sales.customer.create', 'write:sales.customer.update']
  for (const [at, scope] of scopes.entries()) {
    const { client } = await service.key(owner.tenantId, { scopes: [scope] })
    const refused = await put(client, '/customers/by-ref/c', { title: 'One' })
    t.is(refused.status, 403)
    t.regex(refused.body.message, new RegExp(`${scopes[1 - at]}$`))
  }
  const { client } = await service.key(owner.tenantId, { scopes })
  t.is((await put(client, '/customers/by-ref/c', { title: 'One' })).status, 201)
})

test('a PUT spends a document of the quota where it makes a product, and only then', async t => {
  const client = await service.tenant({ key: { dailyDocuments: 1 } })
  t.is((await put(client, '/products/by-ref/a', { title: 'A' })).status, 201)
  t.is((await put(client, '/products/by-ref/a', { title: 'B' })).status, 200)
  const refused = await put(client, '/products/by-ref/b', { title: 'B' })
  t.is(refused.status, 429, refused.text)
  t.is(refused.body.error, 'document_quota_exceeded')
  t.is((await put(client, '/products/by-ref/b', { title: 'B' }, { 'dry-run': 'true' })).status, 429)
  t.is((await put(client, '/products/by-ref/a', { title: 'C' })).status, 200)
  t.is((await client.get('/me')).body.documents.spent, 1)
  t.is((await client.get('/products')).body.data.length, 1)
})

test('the plan counts what a PUT makes', async t => {
  const client = await service.tenant({ plan: 'free' })
  const variants = Array.from({ length: 50 }, (_, at) => ({ title: `V${at}` }))
  t.is((await put(client, '/products/by-ref/a', { title: 'A', variants })).status, 201)
  t.is((await put(client, '/products/by-ref/b', { title: 'B' })).status, 402)
  t.is((await put(client, '/products/by-ref/a', { variants: [{ title: 'More' }] })).status, 402)
  t.is((await put(client, '/products/by-ref/c', { title: 'C', archived: true })).status, 201)
})

test('entries of a bulk put records, and a later entry finds what an earlier one made', async t => {
  const client = await service.tenant()
  for (const mode of ['each', 'all']) {
    const entry = (key: string, body: object, path = `/products/by-ref/${mode}%2F1`) => ({
      ...{ method: 'PUT', path, idempotency_key: `${mode} ${key}`, body },
    })
    const requests = [
      entry('1', { title: 'Mug', sku: `${mode}-1` }),
      entry('2', { title: 'Cup' }),
      entry('3', { sku: `${mode}-2` }),
      entry('4', { title: 'Ann' }, `/customers/by-ref/${mode}`),
    ]
    const reply = await client.post('/bulk', { mode, requests })
    t.deepEqual(column(reply.body.results, 'status'), [201, 200, 200, 201], reply.text)
    const [, , { body, etag }] = reply.body.results
    t.like(body, { external_ref: `${mode}/1`, title: 'Cup', variants: [{ sku: `${mode}-2` }] })
    t.is((await client.get(`/products/by-ref/${mode}%2F1`)).headers.get('etag'), etag)
  }
})

test('twenty PUTs of one new reference at once make one record', async t => {
  const client = await service.tenant()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => put(client, '/products/by-ref/p', { title: `T${at}`, sku: `S${at}` })),
  )
  t.deepEqual(
    replies.map(({ status }) => status).sort(),
    [...Array.from({ length: 19 }, () => 200), 201],
    replies.find(({ status }) => status >= 400)?.text ?? '',
  )
  t.is(new Set(replies.map(({ body }) => body.id)).size, 1)
  t.is((await client.get('/products')).body.data.length, 1)
})

test('a reference that no record can have is 404, and another method 405', async t => {
  const client = await service.tenant()
  for (const ref of ['%zz', '%00', '%20', 'x'.repeat(256)])
    for (const method of ['GET', 'PUT'])
      t.is(
        (await client.request(method, `/products/by-ref/${ref}`, { body: method === 'PUT' ? {} : undefined })).status,
        404,
        ref,
      )
  const other = await client.request('DELETE', '/products/by-ref/x')
  t.is(other.status, 405)
  t.is(other.headers.get('allow'), 'GET, HEAD, PUT')
  // A reference may consist of digits.
  t.is((await put(client, '/products/by-ref/0042', { title: 'N' })).body.external_ref, '0042')
  t.is((await client.request('HEAD', '/products/by-ref/0042')).status, 200)
  const { data } = (await client.get('/requests?limit=1')).body
  t.is(data[0].path, '/products/by-ref/0042')
  const { body: elsewhere } = await put(await service.tenant(), '/products/by-ref/0042', { title: 'N' })
  t.is(elsewhere.external_ref, '0042')
})

test('a PUT of a kit takes its components as a POST does, by sku or id, and refuses one without a quantity', async t => {
  const client = await service.tenant()
  const cup = await client.post('/products', { title: 'Cup', sku: 'CUP' })
  const item_variant_id = cup.body.variants[0].id
  const at = '/products/by-ref/kit'
  const kit = { title: 'Box', type: 'KIT' }
  for (const components of [[{ sku: 'CUP' }], [{ item_variant_id }], [{}]]) {
    const refused = await put(client, at, { ...kit, components })
    t.is(refused.status, 400, refused.text)
    t.true(refused.body.message.includes('components[0].quantity: is required'), refused.text)
  }
  const made = await put(client, at, { ...kit, components: [{ sku: 'CUP', quantity: 2 }] })
  t.is(made.status, 201, made.text)
  t.like(made.body.variants[0].components[0], { item_variant_id, quantity: 2 })
  const changed = await put(client, at, {
    variants: [{ title: 'Box', components: [{ item_variant_id, quantity: 3 }] }],
  })
  t.is(changed.status, 200, changed.text)
  t.is(changed.body.variants[0].components[0].quantity, 3)
  t.is((await put(client, at, { variants: [{ title: 'Box', components: [{}] }] })).status, 400)
})

test('what changes nothing tells nothing, and two entries of one variant are refused by their place', async t => {
  const client = await service.tenant()
  const at = '/products/by-ref/one'
  const made = await put(client, at, { title: 'One', sku: 'ONE' })
  t.is((await put(client, at, { barcode: null })).text, made.text)
  t.is((await put(client, at, { variants: [{ sku: 'ONE', barcode: null, barcodes: undefined }] })).text, made.text)
  t.deepEqual(await typesSince(client), ['product.created'])
  const id = made.body.variants[0].id
  const twice = await put(client, at, { variants: [{ sku: 'ONE' }, { title: 'One' }] })
  t.like(twice.body, { message: `variants[1]: names variant ${id}, as an entry before it does` })
})
