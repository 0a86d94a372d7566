/**
 * The network of an address, and what is stored of it: a keyed hash that holds the tenant and the key too, so that a network
 * is not known again across them. The network itself must stay in memory, and there only until the next flush.
 */
import { createHmac } from 'node:crypto'
import { prefixOf } from '../access/caller-address.ts'

const HASH_BYTES = 8

/**
 * `198.51.100` of a /24, `2001:db8:1` of a /48.
 * @param address as `callerAddress` spells it: IPv4, or canonical IPv6. Undefined when it is no address.
 */
export function networkOf(address: string): string | undefined {
  if (address.includes(':')) return prefixOf(address, 3)
  const end = address.lastIndexOf('.')
  return end < 0 ? undefined : address.slice(0, end)
}

/** The hash of a network under one day's key, in hex. */
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
