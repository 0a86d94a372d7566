/**
 * The address that a request came from. It serves to count failures; it must never be logged or stored for longer.
 */
import { isIP } from 'node:net'

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

/** Without port, brackets and zone; an IPv4 address that is written as IPv6 as IPv4. Undefined when it is no address. */
function spelling(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  const unzoned = bare.replace(/%.*$/s, '')
  if (isIP(unzoned) === 4) return unzoned
  if (isIP(unzoned) === 0) return undefined
  const canonical = new URL(`http://[${unzoned}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical)
  if (mapped === null) return canonical
  const bits = Number.parseInt(`${mapped[1]}`, 16) * 65_536 + Number.parseInt(`${mapped[2]}`, 16)
  return [24, 16, 8, 0].map(shift => (bits >>> shift) & 255).join('.')
}

/**
 * The address itself, or of IPv6 so many of its eight groups: `2001:db8:0:7` are 4 of `2001:db8:0:7::1`.
 * @param address as `callerAddress` spells it.
 */
export function prefixOf(address: string, ipv6Groups: number): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const tailGroups = tail === '' ? [] : tail.split(':')
    groups.push(...Array.from({ length: 8 - groups.length - tailGroups.length }, () => '0'), ...tailGroups)
  }
  return groups.slice(0, ipv6Groups).join(':')
}
