/**
 * Headers, queries and paths over real HTTP: text of twice the length takes at most about twice the time, in this code and in the libraries
 * that read it first. FUZZ_SEED repeats a run, FUZZ_TEXTS extends it.
 */
import { Agent, request } from 'node:http'
import fc from 'fast-check'
import { overgrowth } from '../support/growth.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta, { isSerial: true })

const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const TEXTS = Number(process.env['FUZZ_TEXTS'] ?? 1)
/** Node accepts 16 KiB of headers, the path included. */
const SIZE_MAX = 15_000
/** Each request takes a millisecond or two, however short it is. This many together show the time that the text adds. */
const REQUESTS = 12

const services = await testServices()
const service = await startService(services, { env: { TRUST_PROXY: 'true' }, workers: 0 })
const { token } = await service.tenant()
const agent = new Agent({ keepAlive: true })
test.after.always(async () => {
  agent.destroy()
  await service.close()
  await services.close()
})

type Place = {
  readonly name: string
  readonly pieces: readonly string[]
  readonly send: (text: string) => Promise<number>
  /** The greatest size, for a place where a character may need three bytes. */
  readonly sizeMax?: number
}

function send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sent = request(`${service.url}/`, { agent, method, path, headers }, answer => {
    answer.resume()
    answer.once('end', () => resolve(answer.statusCode ?? 0))
  })
  sent.once('error', reject)
  sent.end(body)
  return promise
}

const API = '/api/external/v1'
const authorization = `Bearer ${token}`
const ofRead = (name: string) => (text: string) => send('GET', `${API}/products`, { authorization, [name]: text })
const ofPage = (name: string) => (text: string) => send('GET', '/docs', { [name]: text })
const ofWrite = (name: string) => (text: string) =>
  send(
    'POST',
    `${API}/products`,
    { authorization, 'content-type': 'application/json', 'idempotency-key': '1', [name]: text },
    '{"no_such_field":1}',
  )

const places: readonly Place[] = [
  {
    name: 'Authorization',
    pieces: ['Bearer ', 'Bearer', 'mrk_'],
    send: text => send('GET', `${API}/products`, { authorization: text }),
  },
  { name: 'X-Forwarded-For', pieces: ['::', '1.1.1.1', '[', ']', '%'], send: ofRead('x-forwarded-for') },
  { name: 'If-None-Match', pieces: ['W/', '"a"', '*'], send: ofPage('if-none-match') },
  { name: 'If-Modified-Since', pieces: ['Sat, 21 Nov 2026 05:00:00 GMT', 'GMT'], send: ofPage('if-modified-since') },
  { name: 'Accept-Encoding', pieces: ['gzip', ';q=', '*', 'identity;q=0', '0.1'], send: ofPage('accept-encoding') },
  { name: 'Idempotency-Key', pieces: [], send: ofWrite('idempotency-key') },
  { name: 'Content-Type', pieces: ['application/json', 'charset=', 'utf-8'], send: ofWrite('content-type') },
  {
    name: 'Content-Type of JSON',
    pieces: ['charset=', 'utf-8', 'a=b'],
    send: text => ofWrite('content-type')(`application/json;${text}`),
  },
  { name: 'Content-Encoding', pieces: ['gzip', 'x-gzip', 'br'], send: ofWrite('content-encoding') },
  {
    name: 'a query',
    pieces: ['&', '%41', 'limit=1', 'cursor='],
    send: text => send('GET', `${API}/products?${encodeURI(text)}`, { authorization }),
    sizeMax: SIZE_MAX / 3,
  },
  {
    name: 'a cursor',
    pieces: ['MTIz'],
    send: text => send('GET', `${API}/products?cursor=${encodeURIComponent(text)}`, { authorization }),
    sizeMax: SIZE_MAX / 3,
  },
  {
    name: 'a path',
    pieces: ['/', 'products', '..', '%2F', '%'],
    send: text => send('GET', `${API}/products/${encodeURI(text)}`, { authorization }),
    sizeMax: SIZE_MAX / 3,
  },
]

const ANYTHING = ['0', 'a', ' ', '\t', ',', ';', '=', '"', '\\', '-', '.', ':', '/', '*', '!']

for (const place of places) {
  test(`${place.name}: twice the text takes about twice the time`, async t => {
    const some = (least: number) =>
      fc
        .array(fc.constantFrom(...place.pieces, ...place.pieces, ...ANYTHING), { minLength: least, maxLength: 2 })
        .map(parts => parts.join(''))
    const texts = fc.sample(fc.tuple(some(0), some(1), some(1)), { numRuns: TEXTS, seed: SEED })
    // A pattern that splits a list at commas with white space around them is slow on this text.
    for (const [before, repeated, behind] of [['a', ' ', 'a'] as const, ...texts]) {
      const input = (size: number) => before + repeated.repeat(Math.ceil(size / repeated.length)) + behind
      const run = async (text: string) => {
        for (let n = 0; n < REQUESTS; n++) t.not(await place.send(text), 431)
      }
      const { sizeMax = SIZE_MAX } = place
      const fault = await overgrowth({ input, run, sizeMin: sizeMax / 4, sizeMax })
      if (fault) return t.fail(`${JSON.stringify([before, repeated, behind])}: ${fault} (FUZZ_SEED=${SEED})`)
    }
    t.pass()
  })
}
