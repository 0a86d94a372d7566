/**
 * Opens connections to receivers. It checks literal addresses, every address of a name, and the address of the connected socket, against
 * server-side request forgery.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { LookupFunction, Socket } from 'node:net'
import { buildConnector } from 'undici'
import { isAddress, type Network, plainAddress } from '../platform/networks.ts'
import { resolveHost } from './resolve-host.ts'
import { addressFault } from './target-rules.ts'

/** A webhook must not go to the target's address. */
export class ForbiddenTarget extends Error {
  override name = 'ForbiddenTarget'
  constructor() {
    super('the URL leads to a private, local or reserved address')
  }
}

export type ConnectorOptions = {
  readonly allowed: readonly Network[]
  readonly connectTimeoutMs: number
  /** Finds all addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
  /** Further options of Node's TLS (tests trust their own certificate). */
  readonly tls?: { readonly ca: string }
}

/** A connector for undici. A hook in the look-up alone would never get literal addresses. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowed, connectTimeoutMs, resolve = resolveHost } = options
  const judge = (address: string, target: { readonly isSecure: boolean; readonly port: number }): void => {
    if (addressFault(address, { ...target, allowed }) !== undefined) throw new ForbiddenTarget()
  }
  /** The port of the connection whose name is looked up. Node passes only the name to the hook. */
  const portOf = new AsyncLocalStorage<number>()
  const connectorFor = (isSecure: boolean) =>
    buildConnector({
      ...options.tls,
      timeout: connectTimeoutMs,
      allowH2: false,
      lookup: lookupWith(async name => {
        const addresses = await resolve(name)
        for (const address of addresses) judge(address, { isSecure, port: portOf.getStore() ?? 0 })
        return addresses
      }),
    } as buildConnector.BuildOptions)
  const [secure, plain] = [connectorFor(true), connectorFor(false)]

  return (target, callback) => {
    const isSecure = target.protocol === 'https:'
    const port = Number(target.port) || (isSecure ? 443 : 80)
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
    try {
      if (isAddress(host)) judge(host, { isSecure, port })
    } catch (error) {
      return callback(error as Error, null)
    }
    const connect = isSecure ? secure : plain
    const opened = (...[error, socket]: Connected): void => {
      if (error) callback(error, null)
      else pass(socket)
    }
    const pass = (socket: Socket): void => {
      try {
        judge(plainAddress(socket.remoteAddress ?? ''), { isSecure, port })
      } catch (fault) {
        socket.destroy()
        callback(fault as Error, null)
        return
      }
      callback(null, socket)
    }
    portOf.run(port, () => connect(target, opened))
  }
}
type Connected = Parameters<buildConnector.Callback> & ([Error, null] | [null, Socket])

/** Node's lookup hook, made from a function that finds all addresses. */
function lookupWith(find: (name: string) => Promise<readonly string[]>): LookupFunction {
  return (name, { all, family }, callback) => {
    find(name).then(
      addresses => {
        const found = addresses
          .map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
          .filter(entry => !family || entry.family === family)
        const [first] = found
        if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0)
        if (all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}
