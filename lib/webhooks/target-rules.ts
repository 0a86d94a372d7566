/**
 * Decides where webhooks may go, by URL and address. Pure: it resolves no name and opens no connection. The same check runs when a
 * subscription is made, for every resolved address, and for the connected socket.
 */
import { isAddress, isOpen, isPublicAddress, type Network, networksOf } from '../platform/networks.ts'

/** A URL whose text allows a call. */
export type Target = {
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly isLiteral: boolean
}

/** Users who try webhooks on their own machine read this. */
const NOT_PUBLIC =
  'must not lead to a private, local or reserved address (the setting WEBHOOK_ALLOWED_NETWORKS may allow it)'
const NOT_SECURE =
  'must start with https:// (for local receivers, the setting WEBHOOK_ALLOWED_NETWORKS may allow a network, and http there)'
const OTHER_PORT = 'must name a port that the operator has opened in this network'

/** Reads a URL, or returns what is wrong with it. The URL parser turns numbers in any notation into addresses. */
export function readTarget(text: string, allowed: readonly Network[]): Target | string {
  // The parser drops tabs and newlines, and turns backslashes into slashes. The stored URL must be the called URL.
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
  // These names always mean this machine.
  if (/(?:^|\.)localhost$/.test(host)) {
    const fault = addressFault('127.0.0.1', { isSecure, port, allowed })
    if (fault !== undefined) return fault
  }
  return { isSecure, host, port, isLiteral: false }
}

/** Why this address must not be called; undefined when it may be. Without TLS only allowed networks may be called. */
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
