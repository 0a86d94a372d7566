/** The rules of schedule, health and targets alone: computed by hand, with time and random values as arguments. */
import fc from 'fast-check'
import { isPublicAddress, readNetworks } from '../../lib/platform/networks.ts'
import { afterAttempt, type Health } from '../../lib/webhooks/health-rules.ts'
import { ATTEMPTS_MAX, readRetryAfter, waitAfter } from '../../lib/webhooks/schedule-rules.ts'
import { addressFault, readTarget } from '../../lib/webhooks/target-rules.ts'
import { EVENT_BODY_BYTES_MAX, eventBody } from '../../lib/work/events.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('ten attempts: now, then after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours', t => {
  const gaps = Array.from({ length: ATTEMPTS_MAX }, (_, attempts) => waitAfter(attempts, 0.5))
  const hours = [2, 5, 10, 14, 20, 24].map(count => count * HOUR)
  t.deepEqual(gaps, [0, 5_000, 5 * MINUTE, 30 * MINUTE, ...hours])
  t.is(waitAfter(10, 0.5), null)
})

test('each gap is up to 20 % shorter or longer', t => {
  t.is(waitAfter(1, 0), 4_000)
  t.is(waitAfter(1, 1), 6_000)
  t.is(waitAfter(9, 0), 24 * HOUR * 0.8)
  t.is(waitAfter(9, 1), 24 * HOUR * 1.2)
  const [attempts, chance] = [fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true })]
  t.notThrows(() =>
    fc.assert(
      fc.property(attempts, chance, (count, part) => {
        const [gap, wait] = [waitAfter(count, 0.5) ?? 0, waitAfter(count, part) ?? 0]
        return wait >= gap * 0.8 - 1 && wait <= gap * 1.2 + 1
      }),
    ),
  )
})

test('Retry-After lengthens a gap, up to twice the gap, and never shortens it', t => {
  t.is(waitAfter(1, 0.5, 8_000), 8_000)
  t.is(waitAfter(1, 0.5, 60_000), 10_000)
  t.is(waitAfter(1, 0.5, 1_000), 5_000)
  t.is(waitAfter(2, 0.5, 9 * MINUTE), 9 * MINUTE)
})

test('Retry-After is seconds or an HTTP date; anything else is ignored', t => {
  const now = Date.parse('2026-11-21T05:00:00.000Z')
  t.is(readRetryAfter('120', now), 120_000)
  t.is(readRetryAfter('Sat, 21 Nov 2026 05:01:30 GMT', now), 90_000)
  t.is(readRetryAfter('Sat, 21 Nov 2026 04:00:00 GMT', now), 0)
  // The obsolete forms, which every recipient must accept, and with a machine's time other than UTC.
  t.is(readRetryAfter('Saturday, 21-Nov-26 05:01:30 GMT', now), 90_000)
  t.is(readRetryAfter('Sat Nov 21 05:01:30 2026', now), 90_000)
  t.is(readRetryAfter('Sun Nov  6 08:49:37 1994', now), 0)
  t.is(waitAfter(1, 0.5, readRetryAfter('9'.repeat(400), now)), 10_000, 'absurd, and up to twice the gap like the rest')
  t.is(waitAfter(1, 0.5, readRetryAfter('Fri, 31 Dec 9999 23:59:59 GMT', now)), 10_000)
  for (const other of [undefined, '', '-5', '1.5', 'soon', '2026-11-21', '1e9', '5 s', 'Sat, 99 Nov 2026 05:01:30 GMT'])
    t.is(readRetryAfter(other, now), undefined)
})

const START = Date.parse('2026-11-21T05:00:00.000Z')
const healthy: Health = {
  status: 'active',
  consecutiveFailures: 0,
  goodSince: START,
  lastDeliveryAt: null,
  lastFailureAt: null,
  lastFailureReason: null,
}
const fails = (health: Health, at: number, responseStatus: number | null = 500) =>
  afterAttempt(health, { at, isSuccess: false, responseStatus, reason: 'HTTP 500' })
const succeeds = (health: Health, at: number) =>
  afterAttempt(health, { at, isSuccess: true, responseStatus: 200, reason: null })
const failing = (count: number, at = START) =>
  Array.from({ length: count }).reduce((state: Health) => fails(state, at), healthy)

test('five failed attempts in a row make it failing, one success makes it active', t => {
  t.is(failing(4).status, 'active')
  t.is(failing(5).status, 'failing')
  t.like(succeeds(failing(7), START + 1), {
    status: 'active',
    consecutiveFailures: 0,
    lastDeliveryAt: START + 1,
    lastFailureAt: START,
    lastFailureReason: 'HTTP 500',
  })
})

test('it is disabled after 72 hours without success and ten failures in a row, not after one of both', t => {
  t.is(failing(50, START + 71 * HOUR).status, 'failing')
  t.is(failing(9, START + 72 * HOUR).status, 'failing')
  t.is(failing(10, START + 72 * HOUR).status, 'disabled')
  t.is(fails(succeeds(failing(50), START + HOUR), START + 72 * HOUR).status, 'active')
})

test('410 disables at once; a disabled one stays so after a success', t => {
  const gone = fails(healthy, START, 410)
  t.is(gone.status, 'disabled')
  t.like(succeeds(gone, START + 5), { status: 'disabled', consecutiveFailures: 0, lastDeliveryAt: START + 5 })
})

test('no private, local, reserved, mapped or translated address is public', t => {
  const refused =
    '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 ' +
    '192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ' +
    '::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 ' +
    'fc00::1 fd12:3456::1 fe80::1 fec0::1 ff02::1 ' +
    // Addresses of metadata services and agents in clouds.
    '100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254 fd20:ce::254'
  for (const address of refused.split(' ')) t.false(isPublicAddress(address), address)
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
    t.true(isPublicAddress(address), address)
  for (const name of ['example.com', '', '127.1', '0x7f.1', '2130706433']) t.false(isPublicAddress(name), name)
})

const none: never[] = []
const loopback = readNetworks('loopback') ?? []

test('a URL is public https without credentials, whatever its spelling', t => {
  const good = [
    'https://example.com/x?y=1',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'HTTPS://Example.COM',
  ]
  for (const url of good) t.is(typeof readTarget(url, none), 'object', url)
  const bad =
    'http://example.com|ftp://example.com|https://|//example.com|example.com|https:example.com|https:///example.com|https:\\\\example.com|' +
    'https://user@example.com|https://user:pass@example.com|https://:pass@example.com|javascript:alert(1)|file:///etc/passwd|' +
    'https://127.0.0.1|https://127.1|https://2130706433|https://0x7f000001|https://0x7f.0.0.1|https://0177.0.0.1|https://017700000001|' +
    'https://127.0.0.1.|https://１２７.0.0.1|https://①②⑦.0.0.1|https://0|https://[::1]|https://[::]|https://[::ffff:127.0.0.1]|' +
    'https://[::ffff:7f00:1]|https://[::127.0.0.1]|https://[64:ff9b::7f00:1]|https://[2002:7f00:1::]|https://[fe80::1]|https://[fd00::1]|' +
    'https://localhost|https://LOCALHOST.|https://a.localhost|https://169.254.169.254/latest/meta-data|https://10.0.0.1|https://192.168.0.1|' +
    'https://exa\tmple.com|https://example.com/\n|https://exam ple.com'
  for (const url of bad.split('|')) t.is(typeof readTarget(url, none), 'string', url)
})

test('an allowed network is open, without TLS too, and nothing beside it', t => {
  for (const url of [
    'http://127.0.0.1:9/x',
    'https://127.0.0.1',
    'http://[::1]:9/',
    'http://localhost:9/',
    'http://2130706433/',
  ])
    t.is(typeof readTarget(url, loopback), 'object', url)
  for (const url of [
    'http://10.0.0.1',
    'https://10.0.0.1',
    'http://8.8.8.8',
    'http://[::ffff:127.0.0.1]',
    'http://user@127.0.0.1',
  ])
    t.is(typeof readTarget(url, loopback), 'string', url)
  // The text of a URL may allow a name without TLS. Each of the name's addresses must be in the network.
  t.is(typeof readTarget('http://hooks.internal/', loopback), 'object')
  const judge = { isSecure: false, port: 9, allowed: loopback }
  t.is(addressFault('127.0.0.1', judge), undefined)
  t.is(addressFault('8.8.8.8', judge), 'must start with https://')
  t.truthy(addressFault('10.0.0.1', { isSecure: true, port: 443, allowed: loopback }))
})

test('who tries a local receiver is told which setting would allow it', t => {
  for (const url of [
    'http://localhost:4000/hook',
    'http://10.1.2.3/',
    'https://localhost:4000/hook',
    'https://10.1.2.3/',
  ])
    t.regex(String(readTarget(url, [])), /^must .*\bWEBHOOK_ALLOWED_NETWORKS\b/, url)
  t.is(readTarget('ftp://hooks.example/', []), 'must start with https://')
})

test('networks are CIDR ranges, addresses or words', t => {
  for (const text of ['10.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1', 'loopback', 'Private', 'link-local', 'unique-local'])
    t.truthy(readNetworks(text), text)
  for (const text of ['', 'lan', '10.0.0.0/33', '10.0.0', '10.0.0.0/8/8', 'example.com', '0x7f.1'])
    t.is(readNetworks(text), undefined, text)
})

test('a network names every port, one or a range; IPv6 with ports stands in brackets', t => {
  const portsOf = (text: string) => readNetworks(text)?.map(({ ports }) => [ports.first, ports.last])
  for (const text of ['10.0.0.0/8', 'fd00::/8', '::1', '[fd00::/8]']) t.deepEqual(portsOf(text), [[0, 65_535]], text)
  for (const text of ['10.0.0.0/8:8080', '10.1.2.3:8080', '[fd00::/8]:8080', '[::1]:8080', 'unique-local:8080'])
    t.deepEqual(portsOf(text), [[8_080, 8_080]], text)
  t.deepEqual(
    portsOf('Loopback:9000-9100'),
    [0, 1].map(() => [9_000, 9_100]),
  )
  t.deepEqual(portsOf('10.0.0.0/8:1-65535'), [[1, 65_535]])
  const wrong =
    '10.0.0.0/8:|10.0.0.0/8:0|10.0.0.0/8:65536|10.0.0.0/8:9-8|10.0.0.0/8:80-|10.0.0.0/8:-80|10.0.0.0/8:1-2-3|10.0.0.0/8:http|' +
    '10.0.0.0/8:80:90|lan:80|[10.0.0.0/8]:80|[loopback]:80|[fd00::/8]80|[fd00::/8]:|[]:80|[::1|::1]:80|10.0.0.0/8:٨٠|10.0.0.0/8: 80'
  for (const text of wrong.split('|')) t.is(readNetworks(text), undefined, text)
})

test('of an allowed network the named ports are open, for any way to write the URL', t => {
  const allowed = ['127.0.0.0/8:8080', '[::1]:9000-9100', '10.0.0.0/8:443', '10.1.0.0/16:80'].flatMap(
    text => readNetworks(text) ?? [],
  )
  const open =
    'http://127.0.0.1:8080|http://2130706433:8080/x|http://localhost:8080|https://127.0.0.1:8080|http://[::1]:9000|http://[::1]:9100|' +
    'https://10.0.0.1|https://10.0.0.1:443|http://10.0.0.1:443|http://10.1.0.1|https://10.1.0.1|https://8.8.8.8:8443'
  for (const url of open.split('|')) t.is(typeof readTarget(url, allowed), 'object', url)
  const closed =
    'http://127.0.0.1|https://127.0.0.1|http://127.0.0.1:80|http://127.0.0.1:8081|http://localhost:6379|http://2130706433:5432|' +
    'http://[::1]:8999|http://[::1]:9101|http://10.0.0.1|https://10.0.0.1:80|https://10.1.0.1:8443'
  for (const url of closed.split('|'))
    t.is(readTarget(url, allowed), 'must name a port that the operator has opened in this network', url)
})

test('a body over 64 KiB sends the id alone, of a sales return too, and one of 64 KiB whole', t => {
  const envelope = {
    id: 'evt_1',
    timestamp: '2026-11-21T05:00:00.000Z',
    sequence: 1n,
    actor: { key_id: '1', user_name: null, request_id: 'req_1' },
  }
  const body = (data: object) =>
    eventBody({ type: 'sales_return.created', data: JSON.stringify(data), previous: '{"x":1}' }, envelope).body
  const room = EVENT_BODY_BYTES_MAX - Buffer.byteLength(body({ id: '7', notes: '' }))
  const [whole, over] = ['ö'.repeat(room / 2).padEnd(room - Math.floor(room / 2), 'x'), 'x'.repeat(room + 1)]
  t.is(Buffer.byteLength(body({ id: '7', notes: whole })), EVENT_BODY_BYTES_MAX)
  t.is(JSON.parse(body({ id: '7', notes: whole })).data.notes, whole)
  t.like(JSON.parse(body({ id: '7', notes: over })), {
    data: { id: '7', truncated: true },
    previous: null,
    actor: envelope.actor,
  })
  t.deepEqual(JSON.parse(body({ sales_return: { id: '8' }, items: [over] })).data, { id: '8', truncated: true })
})
