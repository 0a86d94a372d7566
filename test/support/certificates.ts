/** Owns certificates of authorities that nobody else knows, made with openssl, and TLS in front of a server that has none. */
import { execFile } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { temporaryFolder } from './servers.ts'

const run = promisify(execFile)

/** Files in PEM. */
export type Certificate = { readonly cert: string; readonly key: string }
export type Authority = {
  /** Its own certificate. */
  readonly cert: string
  /** For a server of these names (`DNS:localhost`), or a client of this name (`/CN=millrace`). */
  issue(of: { readonly names?: string; readonly subject?: string }): Promise<Certificate>
}

/** An authority in a folder of its own, which everybody may pass through and read. */
export async function authority(): Promise<Authority> {
  const folder = await temporaryFolder()
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const [cert, key] = [file('authority.pem'), file('authority.key')]
  await openssl('req', '-x509', ...newKey, '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=Test authority')
  let count = 0
  return {
    cert,
    issue: async ({ names, subject = '/CN=server' }) => {
      const name = `${++count}`
      const issued = { cert: file(`${name}.pem`), key: file(`${name}.key`) }
      const request = file(`${name}.csr`)
      await openssl('req', ...newKey, '-keyout', issued.key, '-out', request, '-subj', subject)
      const extensions = file(`${name}.ext`)
      await writeFile(extensions, names === undefined ? 'basicConstraints=CA:FALSE\n' : `subjectAltName=${names}\n`)
      const signed = ['-CA', cert, '-CAkey', key, '-CAcreateserial', '-extfile', extensions, '-days', '2']
      await openssl('x509', '-req', '-in', request, '-out', issued.cert, ...signed)
      await chmod(issued.cert, 0o644)
      return issued
    },
  }
}

/** Speaks TLS in front of a server on the loopback address that does not. */
export async function tlsInFrontOf(
  port: number,
  { cert, key }: Certificate,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer({ cert: await readFile(cert), key: await readFile(key) }, outer => {
    const inner = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  // A client that trusts another authority.
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
