/** IP addresses and networks: which are public, and which are in a network that a setting names. */
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** An address and a prefix length. */
type Range = readonly [Address, number]
/** A network of a setting: a range of addresses, and their ports. */
export type Network = { readonly range: Range; readonly ports: { readonly first: number; readonly last: number } }

const PORT_MAX = 65_535
const everyPort = { first: 0, last: PORT_MAX }

/** Names for well-known networks. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  'unique-local': ['fc00::/7'],
}

/**
 * Networks from `10.1.0.0/16`, a bare address, or a name (`loopback`, `private`, `link-local`, `unique-local`), on every port or on those
 * after a colon (`10.1.0.0/16:8080`, `loopback:9000-9100`; IPv6 then in brackets, `[fd00::/8]:443`). Undefined for any other text.
 */
export function readNetworks(text: string): readonly Network[] | undefined {
  const bracketed = /^\[(.*:.*)\](?::(.*))?$/.exec(text)
  // A text with several colons and without brackets is IPv6. None of its colons begins a port.
  const [name = '', given] = bracketed?.slice(1) ?? (text.split(':').length === 2 ? text.split(':') : [text])
  const ports = given === undefined ? everyPort : readPorts(given)
  return ports && readRanges(name)?.map(range => ({ range, ports }))
}

/** `8080` or `9000-9100`. */
function readPorts(text: string): Network['ports'] | undefined {
  const [, first, last = first] = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(text) ?? []
  const ports = { first: Number(first), last: Number(last) }
  return ports.first <= ports.last && ports.last <= PORT_MAX ? ports : undefined
}

function readRanges(text: string): readonly Range[] | undefined {
  const named = namedNetworks[text.toLowerCase()]
  if (named) return named.map(cidr => ipaddr.parseCIDR(cidr))
  if (ipaddr.isValidCIDR(text)) return [ipaddr.parseCIDR(text)]
  const address = readAddress(text)
  return address && [[address, address.kind() === 'ipv4' ? 32 : 128]]
}

/** The address of a text in the usual notation; undefined for a name. */
function readAddress(text: string): Address | undefined {
  // ipaddr.js also accepts short and octal forms. In URLs these are normalised before.
  const isUsual = text.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)
  return isUsual && ipaddr.isValid(text) ? ipaddr.parse(text) : undefined
}

export const isAddress = (text: string): boolean => readAddress(text) !== undefined

/**
 * Whether the address may belong to anybody on the internet. Not public: loopback, private, link-local (cloud metadata), shared,
 * documentation and multicast ranges, and every IPv6 form that contains an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text)
  if (address?.range() !== 'unicast' || lies(address, platforms)) return false
  // Of IPv6 only 2000::/3 is assigned. `::127.0.0.1` is outside of it.
  return address.kind() === 'ipv4' || lies(address, globalUnicast)
}
/** A cloud's own services (metadata, agents) at an address that looks public. Azure uses the same address in all regions. */
const platforms: readonly Range[] = [ipaddr.parseCIDR('168.63.129.16/32')]
const globalUnicast: readonly Range[] = [ipaddr.parseCIDR('2000::/3')]

/** The given networks that contain the address. An IPv6 form of an IPv4 address is in no IPv4 network. */
export function networksOf(text: string, networks: readonly Network[]): readonly Network[] {
  const address = readAddress(text)
  return address === undefined ? [] : networks.filter(({ range }) => lies(address, [range]))
}

export const isOpen = (port: number, networks: readonly Network[]): boolean =>
  networks.some(({ ports }) => port >= ports.first && port <= ports.last)

const lies = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))

/** `127.0.0.1` for `::ffff:127.0.0.1`, the form in which a dual-stack socket shows its peer. Any other text is unchanged. */
export function plainAddress(text: string): string {
  const address = readAddress(text)
  if (!address || !('isIPv4MappedAddress' in address) || !address.isIPv4MappedAddress()) return text
  return address.toIPv4Address().toString()
}
