/**
 * Many commands at the same time that want the same number, external_ref or sku: one gets it, and the answers of all others name the record
 * that has it.
 */
import type { CommandEndpoint } from '../../lib/kit/api/endpoint.ts'
import { endpoints } from '../../lib/nouns.ts'
import { makeWorld, type World } from '../contract/world.ts'
import { creating, headOf, recorded } from '../documents/recorded.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta, { isSerial: true })

const service = await serviceOfFile()

let world: World
test.before(async () => {
  world = await makeWorld(await service.tenant(), endpoints)
})

for (const noun of recorded)
  for (const field of noun.unique) {
    const endpoint = creating(noun) as CommandEndpoint
    test(`twenty at once on POST ${endpoint.path} with one ${field}`, async t => {
      const { client } = world
      await world.restock()
      const record = await world.recordFor(endpoint.path)
      const path = endpoint.path.replace('{id}', record?.id)
      // The skus of an example are unique, too.
      const body = { ...Object(world.bodyOf(endpoint, record)), variants: undefined, [field]: 'R' }
      const replies = await Promise.all(Array.from({ length: 20 }, () => client.post(path, body)))
      const [winner, ...others] = replies.filter(({ status }) => status === 201)
      t.deepEqual(others, [])
      const refused = replies.filter(({ status }) => status === 400).map(({ body: { message } }) => message)
      t.is(refused.length, 19)
      const taken = `${field}: is taken by ${headOf(noun, winner?.body).id}`
      for (const message of refused) t.true(message.split('; ').includes(taken), message)
    })
  }

test('twenty at once with one sku', async t => {
  const client = await service.tenant()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/products', { title: 'x', sku: 'OAK' })),
  )
  const [winner, ...more] = replies.filter(({ status }) => status === 201)
  t.is(more.length, 0)
  const messages = new Set(replies.filter(({ status }) => status === 400).map(({ body: { message } }) => message))
  const [variant] = winner?.body.variants ?? []
  t.deepEqual([...messages], [`sku: "OAK" is taken by ${variant.id}, a variant of product ${winner?.body.id}`])
})
