/** An import that changes many products reads pages of products instead of each one, and changes the current values. */

import { products } from '../../imports/products.ts'
import type { Entry, Result, Service } from '../../imports/service.ts'
import { takeRows } from '../../imports/take-rows.ts'
import { type Fields, Figure, fieldsIn } from '../../imports/values.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

/** A service with some products that counts its requests. */
function serviceWith(count: number) {
  const all = Array.from(
    { length: count },
    (_, n): Fields => ({
      ...{
        id: `${n}`,
        title: `Tea ${n}`,
        external_ref: n % 2 === 0 ? `r-${n}` : null,
        archived: false,
        updated_at: '1',
      },
      variants: [{ id: `v${n}`, sku: `S-${n}`, price: new Figure('1'), archived: false }],
    }),
  )
  const asked = { pages: 0, lookups: 0, writes: [] as Entry[] }
  const service: Service = {
    ...{ isDry: false, entriesMax: 1, hash: text => text },
    read: async path => {
      const { pathname, searchParams } = new URL(path, 'http://service')
      const [limit, sku] = [searchParams.get('limit'), searchParams.get('sku')]
      if (limit === '200') {
        asked.pages++
        const from = Number(searchParams.get('cursor') ?? 0)
        const next = from + 200 < count ? `${from + 200}` : ''
        return { data: structuredClone(all.slice(from, from + 200)).map(revived), next_cursor: next }
      }
      asked.lookups++
      const ref = decodeURIComponent(pathname.split('/')[3] ?? '')
      const found = all.find(each => (sku === null ? each['external_ref'] === ref : skuOf(each) === sku)) ?? null
      return sku === null ? found : { data: found === null ? [] : [found] }
    },
    write: async (entry): Promise<Result> => {
      asked.writes.push(entry)
      const at = Number(entry.path.split('/')[2])
      const before = all[at]
      if (before === undefined) return { isReplay: false, body: { id: 'new', ...entry.body } }
      const [variant = {}] = fieldsIn(before['variants'])
      const [change = {}] = fieldsIn(entry.body['variants'])
      if (change['id'] !== undefined && change['id'] !== variant['id'])
        return {
          isReplay: false,
          refusal: {
            code: 'validation_failed',
            message: 'variants[0].id: is not there',
            faults: [{ column: 'variants[0].id', reason: 'is not there' }],
          },
        }
      all[at] = { ...before, ...entry.body, variants: [{ ...variant, ...change }] }
      return { isReplay: false, body: all[at] }
    },
  }
  return { all, asked, service }
}

const skuOf = (product: Fields) => fieldsIn(product['variants'])[0]?.['sku']
/** `structuredClone` does not keep the class of numbers, so this restores it. */
const revived = (product: Fields): Fields => ({
  ...product,
  variants: fieldsIn(product['variants']).map(each => ({
    ...each,
    price: new Figure(String((each['price'] as Figure).text)),
  })),
})

/** How many rows had each outcome. */
async function counted(service: Service, bodies: readonly Fields[]) {
  const counts: Record<string, number> = {}
  await takeRows(
    bodies.map((body, at) => ({ line: at + 2, content: { body } })),
    {
      ...{ importer: products.open(service, { update: true }), atOnce: 8 },
      onOutcomes: outcomes => {
        for (const { outcome } of outcomes) {
          const name = typeof outcome === 'string' ? outcome : 'refused'
          counts[name] = (counts[name] ?? 0) + 1
        }
      },
    },
  )
  return counts
}

const priced = (n: number, price: string): Fields => ({ sku: `S-${n}`, price: new Figure(price) })

test('of two thousand products that a file changes few are looked up, and what is as it says is not sent', async t => {
  const { asked, service } = serviceWith(2_000)
  // In another order than the list. A third of the rows is unchanged, and a tenth names its product by reference.
  const rows = Array.from({ length: 2_000 }, (_, n) => (n * 7) % 2_000).map((n): Fields => {
    const row = priced(n, n % 3 === 0 ? '1.0' : '2')
    return n % 10 === 0 ? { external_ref: `r-${n}`, price: row['price'] ?? null } : row
  })
  t.deepEqual(await counted(service, rows), { changed: 1_333, known: 667 })
  t.is(asked.writes.length, 1_333)
  t.true(asked.lookups <= 2_000 / 8, `${asked.lookups} looked up`)
  t.true(asked.pages <= 11, `${asked.pages} pages`)
})

test('a file that names few of many products does not read them all', async t => {
  const { asked, service } = serviceWith(10_000)
  const rows = Array.from({ length: 64 }, (_, n) => priced(9_999 - n, '2'))
  t.deepEqual(await counted(service, rows), { changed: 64 })
  t.true(asked.pages <= 5, `${asked.pages} pages`)
})

test('a product that was changed since its page was read is changed as it is now', async t => {
  const { all, asked, service } = serviceWith(200)
  const rows = Array.from({ length: 200 }, (_, n) => priced(n, '2'))
  const read = service.read
  // After the page is read, another caller replaces the last variant and adds a new sku.
  const stale: Service = {
    ...service,
    read: async path => {
      const answer = await read(path)
      if (path.includes('limit=200')) {
        const last = all[199] as Fields
        all[199] = { ...last, variants: [{ id: 'other', sku: 'S-199', price: new Figure('9'), archived: false }] }
      }
      return answer
    },
  }
  t.deepEqual(await counted(stale, [...rows, priced(199, '3'), { title: 'New', ...priced(7_000, '1') }]), {
    ...{ changed: 201, created: 1 },
  })
  t.is(String((fieldsIn(all[199]?.['variants'])[0] as Fields)['price']), '3')
  t.is(asked.writes.filter(({ method }) => method === 'POST').length, 1)
})
