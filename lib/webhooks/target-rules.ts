/**
 * Where webhooks may go: judges URLs and addresses. Pure: it resolves no name and connects to nothing. The same
 * judgement holds at creation, for every resolved address and for the connected socket.
 */
import { isAddress, isOpen, isPublicAddress, type Network, networksOf } from '../platform/networks.ts'

/** A URL that may be called, as far as its text tells. */
export type Target = {
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly isLiteral: boolean
}

/** Who tries it out at home meets these two first. */
const NOT_PUBLIC =
  'must not lead to a private, local or reserved address (the setting WEBHOOK_ALLOWED_NETWORKS may allow it)'
const NOT_SECURE =
  'must start with https:// (for local receivers, the setting WEBHOOK_ALLOWED_NETWORKS may allow a network, and http there)'
const OTHER_PORT = 'must name a port that the operator has opened in this network'

/** Reads a URL, or says in words what is wrong with it. Numbers in any notation are addresses by now: the URL parser makes them so. */
export function readTarget(text: string, allowed: readonly Network[]): Target | string {
  // The parser drops tabs and newlines and takes backslashes for slashes: what is stored must be what is called.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'must be a URL (https://...)'
  const url = new URL(text)
  const isSecure = url.protocol === 'https:'
  if (!isSecure && url.protocol !== 'http:') return 'must start with https://'
  if (!/^https?:\/\/[^/]/i.test(text)) return 'must be a URL (https://...)'
  if (!isSecure && allowed.length === 0) return NOT_SECURE
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  const name = url.hostname.replace(/\.$/, '')
  const host = name.startsWith('[') ? name.slice(1, -1) : name
  if (host === '') return 'must name a host'
  const port = Number(url.port) || (isSecure ? 443 : 80)
  if (isAddress(host)) {
    const fault = addressFault(host, { isSecure, port, allowed })
    return fault ?? { isSecure, host, port, isLiteral: true }
  }
  // These names lead to the machine itself whatever is looked up.
  if (/(?:^|\.)localhost$/.test(host)) {
    const fault = addressFault('127.0.0.1', { isSecure, port, allowed })
    if (fault !== undefined) return fault
  }
  return { isSecure, host, port, isLiteral: false }
}

/** Why this address must not be called, in words; undefined when it may be. Without TLS only allowed networks may. */
export function addressFault(
  address: string,
  {
    isSecure,
    port,
    allowed,
  }: { readonly isSecure: boolean; readonly port: number; readonly allowed: readonly Network[] },
): string | undefined {
  const around = networksOf(address, allowed)
  if (isOpen(port, around)) return undefined
  if (!isPublicAddress(address)) return around.length > 0 ? OTHER_PORT : NOT_PUBLIC
  return isSecure ? undefined : 'must start with https://'
}
