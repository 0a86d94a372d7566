/** The address that a request came from, for counting failures. It must never be logged or stored for longer. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { setBounded } from '../platform/bounded-map.ts'

const REMEMBERED_MAX = 1_000
/** Longer than any address with brackets, zone and port. A longer text in a header is no address. */
const REMEMBERED_LENGTH_MAX = 64

type AddressSource = {
  /** The address of the socket's other end. */
  readonly remoteAddress: string | undefined
  readonly forwardedFor: string | undefined
  /** Whether our own proxy sets X-Forwarded-For. Otherwise callers may write anything there. */
  readonly trustProxy: boolean
}

/** One spelling per address. Behind a trusted proxy it is the last entry, because only that one was written by the proxy. */
export function callerAddress(source: AddressSource): string {
  const socketAddress = spelling(source.remoteAddress ?? '') ?? 'unknown'
  if (!source.trustProxy || source.forwardedFor === undefined) return socketAddress
  return spelling(source.forwardedFor.slice(source.forwardedFor.lastIndexOf(',') + 1)) ?? socketAddress
}

/** By text. The address of a connection comes with each of its requests. */
const spellings = new Map<string, string | undefined>()

function spelling(text: string): string | undefined {
  if (spellings.has(text)) return spellings.get(text)
  const spelled = spell(text)
  if (text.length > REMEMBERED_LENGTH_MAX) return spelled
  setBounded(spellings, REMEMBERED_MAX, text, spelled)
  return spelled
}

/** Without port, brackets and zone; an IPv4 address in IPv6 form becomes IPv4. Undefined when the text is no address. */
function spell(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  const unzoned = bare.replace(/%.*$/s, '')
  return isIP(unzoned) === 0 ? undefined : ipaddr.process(unzoned).toString()
}

/**
 * An IPv4 address itself, or the first groups of an IPv6 address: `2001:db8:0:7` are 4 of the 8 groups of `2001:db8:0:7::1`.
 * @param address as `callerAddress` spells it
 */
export function prefixOf(address: string, ipv6Groups: number): string {
  if (!address.includes(':')) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, ipv6Groups)
    .map(group => group.toString(16))
    .join(':')
}
