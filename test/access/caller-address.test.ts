import { callerAddress, prefixOf } from '../../lib/access/caller-address.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const behindProxy = (forwardedFor: string | undefined) =>
  callerAddress({ remoteAddress: '10.0.0.1', forwardedFor, trustProxy: true })

test('without a trusted proxy it is the other end of the socket, whatever the header says', t => {
  const source = { remoteAddress: '192.0.2.7', forwardedFor: '198.51.100.1', trustProxy: false }
  t.is(callerAddress(source), '192.0.2.7')
})

test('behind a trusted proxy it is the last entry, which the proxy wrote', t => {
  t.is(behindProxy('198.51.100.1'), '198.51.100.1')
  t.is(behindProxy('1.1.1.1, 2.2.2.2,198.51.100.1 '), '198.51.100.1')
  t.is(behindProxy('1.1.1.1,[2001:db8::1]:4711'), '2001:db8::1')
  t.is(behindProxy('198.51.100.1:4711'), '198.51.100.1')
})

test('a header that holds no address counts as the proxy', t => {
  for (const text of [undefined, '', 'unknown', '1.1.1.1, ', 'x'.repeat(10_000)]) t.is(behindProxy(text), '10.0.0.1')
})

test('one address has one spelling', t => {
  t.is(behindProxy('::ffff:198.51.100.1'), '198.51.100.1')
  t.is(behindProxy('2001:0DB8:0:0:0:0:0:1'), '2001:db8::1')
  t.is(callerAddress({ remoteAddress: 'fe80::1%eth0', forwardedFor: undefined, trustProxy: false }), 'fe80::1')
  t.is(callerAddress({ remoteAddress: '::ffff:127.0.0.1', forwardedFor: undefined, trustProxy: false }), '127.0.0.1')
})

test('a /64 of IPv6 is one prefix however its addresses are spelled, and IPv4 addresses are their own', t => {
  const prefixes = ['2001:db8:0:7::1', '2001:db8:0:7:1:2:3:4', '2001:db8:0:8::1', '2001:db8::1', '::1', '198.51.100.7']
  t.deepEqual(
    prefixes.map(address => prefixOf(address, 4)),
    ['2001:db8:0:7', '2001:db8:0:7', '2001:db8:0:8', '2001:db8:0:0', '0:0:0:0', '198.51.100.7'],
  )
})
