/** The address that a request came from, for counting failures. It must never be logged or stored for longer. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { setBounded } from '../platform/bounded-map.ts'

const REMEMBERED_MAX = 1_000
/** An address with brackets, zone and port is shorter. A longer text in a header is no address. */
const REMEMBERED_LENGTH_MAX = 64

type AddressSource = {
  /** The address of the other end of the socket. */
  readonly remoteAddress: string | undefined
  readonly forwardedFor: string | undefined
  /** Whether the service's own proxy sets X-Forwarded-For. Otherwise callers may write anything there. */
  readonly trustProxy: boolean
}

/** The caller's address in normal form. Behind a trusted proxy it is the header's last entry, because the proxy wrote only that one. */
export function callerAddress(source: AddressSource): string {
  const socketAddress = spelling(source.remoteAddress ?? '') ?? 'unknown'
  if (!source.trustProxy || source.forwardedFor === undefined) return socketAddress
  return spelling(source.forwardedFor.slice(source.forwardedFor.lastIndexOf(',') + 1)) ?? socketAddress
}

/** Normal forms of addresses by their text: all requests of a connection have the same one. */
const spellings = new Map<string, string | undefined>()

function spelling(text: string): string | undefined {
  if (spellings.has(text)) return spellings.get(text)
  const spelled = spell(text)
  if (text.length > REMEMBERED_LENGTH_MAX) return spelled
  setBounded(spellings, REMEMBERED_MAX, text, spelled)
  return spelled
}

/** The address without port, brackets and zone. An IPv4 address in IPv6 form becomes IPv4. Undefined when the text is no address. */
function spell(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  const unzoned = bare.replace(/%.*$/s, '')
  return isIP(unzoned) === 0 ? undefined : ipaddr.process(unzoned).toString()
}

/**
 * An IPv4 address, or the first groups of an IPv6 address: `2001:db8:0:7` is the first four of the 8 groups of `2001:db8:0:7::1`.
 * @param address as `callerAddress` returns it
 */
export function prefixOf(address: string, ipv6Groups: number): string {
  if (!address.includes(':')) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, ipv6Groups)
    .map(group => group.toString(16))
    .join(':')
}
