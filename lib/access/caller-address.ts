/**
 * The address that a request came from. It serves to count failures; it must never be logged or stored for longer.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { setBounded } from '../platform/bounded-map.ts'

const REMEMBERED_MAX = 1_000
/** An address with brackets, zone and port; what is longer comes of a header that says anything. */
const REMEMBERED_LENGTH_MAX = 64

type AddressSource = {
  /** The other end of the socket. */
  readonly remoteAddress: string | undefined
  readonly forwardedFor: string | undefined
  /** Whether a proxy of ours sets X-Forwarded-For; anybody else may write there what they like. */
  readonly trustProxy: boolean
}

/** One spelling per address. Behind a trusted proxy it is the last entry, the only one that the proxy itself wrote. */
export function callerAddress(source: AddressSource): string {
  const socketAddress = spelling(source.remoteAddress ?? '') ?? 'unknown'
  if (!source.trustProxy || source.forwardedFor === undefined) return socketAddress
  return spelling(source.forwardedFor.slice(source.forwardedFor.lastIndexOf(',') + 1)) ?? socketAddress
}

/** By their text; a connection's address comes with each of its requests. */
const spellings = new Map<string, string | undefined>()

function spelling(text: string): string | undefined {
  if (spellings.has(text)) return spellings.get(text)
  const spelled = spell(text)
  if (text.length > REMEMBERED_LENGTH_MAX) return spelled
  setBounded(spellings, REMEMBERED_MAX, text, spelled)
  return spelled
}

/** Without port, brackets and zone; an IPv4 address that is written as IPv6 as IPv4. Undefined when it is no address. */
function spell(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  const unzoned = bare.replace(/%.*$/s, '')
  return isIP(unzoned) === 0 ? undefined : ipaddr.process(unzoned).toString()
}

/**
 * The address itself, or of IPv6 so many of its eight groups: `2001:db8:0:7` are 4 of `2001:db8:0:7::1`.
 * @param address as `callerAddress` spells it.
 */
export function prefixOf(address: string, ipv6Groups: number): string {
  if (!address.includes(':')) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, ipv6Groups)
    .map(group => group.toString(16))
    .join(':')
}
