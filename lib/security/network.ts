/**
 * The network of an address, and its stored form: a keyed hash that also contains the tenant and the key, so that a network cannot be
 * recognised across them. The network itself stays in memory, and only until the next flush.
 */
import { createHmac } from 'node:crypto'
import { prefixOf } from '../access/caller-address.ts'

const HASH_BYTES = 8

/**
 * `198.51.100` of a /24, `2001:db8:1` of a /48. Undefined when it is no address.
 * @param address as `callerAddress` spells it: IPv4, or canonical IPv6
 */
export function networkOf(address: string): string | undefined {
  if (address.includes(':')) return prefixOf(address, 3)
  const end = address.lastIndexOf('.')
  return end < 0 ? undefined : address.slice(0, end)
}

/** The hash of a network with one day's key, in hex. */
export function hashNetwork(
  key: Buffer,
  sighting: { readonly tenantId: string; readonly keyId: string; readonly network: string },
): string {
  const text = `${sighting.tenantId} ${sighting.keyId} ${sighting.network}`
  return createHmac('sha256', key)
    .update(text)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES)
}
