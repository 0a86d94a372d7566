/** Owns a PostgreSQL of a test's own that speaks TLS, with users whom it lets in only with, only without, or by a certificate. */
import { appendFile, chmod, chown, copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openClient } from '../../lib/platform/postgres/client.ts'
import { startPostgres } from '../../lib/tools/embedded/postgres.ts'
import { openCluster } from '../../lib/tools/embedded/postgres-cluster.ts'
import { postgresProgram } from '../../lib/tools/embedded/postgres-program.ts'
import type { Authority } from './certificates.ts'
import { copyOfCluster, temporaryFolder } from './servers.ts'

/** The rules for these users stand before all others. */
const RULES = `hostssl all with_tls all scram-sha-256
host all with_tls all reject
hostnossl all without_tls all scram-sha-256
host all without_tls all reject
hostssl all by_certificate all cert
host all by_certificate all reject
`

export type TlsPostgres = {
  /** Of this user and host (`localhost` is the certificate's, `127.0.0.1` is not), with these parameters. */
  url(parameters?: Record<string, string>, of?: { readonly user?: string; readonly host?: string }): string
  close(): Promise<void>
}

/** Its certificate, of this authority, names `localhost`. */
export async function tlsPostgres(authority: Authority): Promise<TlsPostgres> {
  const dataDir = join(await temporaryFolder(), 'postgres')
  await copyOfCluster(dataDir)
  const program = await postgresProgram()
  const { path } = await openCluster(dataDir, program)
  const { cert, key } = await authority.issue({ names: 'DNS:localhost' })
  for (const [from, to] of [
    [cert, 'server.crt'],
    [key, 'server.key'],
    [authority.cert, 'root.crt'],
  ] as const) {
    await copyFile(from, join(path, to))
    await chmod(join(path, to), 0o600)
    if (program.account) await chown(join(path, to), program.account.uid, program.account.gid)
  }
  await appendFile(join(path, 'postgresql.auto.conf'), `ssl = on\nssl_ca_file = 'root.crt'\n`)
  const rules = join(path, 'pg_hba.conf')
  await writeFile(rules, RULES + (await readFile(rules, 'utf8')))
  const running = await startPostgres({ dataDir, durable: false })
  const { password } = new URL(running.url)
  const { client, end } = await openClient(running.url)
  for (const user of ['with_tls', 'without_tls', 'by_certificate'])
    await client.query(`create user ${user} password '${decodeURIComponent(password)}'`)
  await end()
  return {
    url: (parameters = {}, { user, host = 'localhost' } = {}) => {
      const url = new URL(running.url)
      url.hostname = host
      if (user !== undefined) url.username = user
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    close: async () => {
      await running.stop()
      await rm(join(dataDir, '..'), { recursive: true, force: true })
    },
  }
}
