/** A scratch cluster: an embedded PostgreSQL in a new folder with one restored dump. It is removed at the end. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openClient } from '../../platform/postgres/client.ts'
import { searchPath } from '../embedded/child.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { postgresProgram } from '../embedded/postgres-program.ts'
import { SetupError } from '../embedded/setup-error.ts'
import { type Dump, firstLine } from './dump.ts'

type Restoring = {
  /** Where the scratch folder is made. */
  readonly folder: string
  /** Called for each table whose rows are restored. */
  readonly onTable: (done: number) => void
  /** Breaks everything off. */
  readonly signal: AbortSignal
}

const NO_SERVER =
  'there is no embedded PostgreSQL here: run this where npm install was run, or restore the dump yourself and check the address'

/** Restores a dump, calls `use`, and removes the cluster in every case. */
export async function withRestored<T>(
  dump: Dump,
  { folder, onTable, signal }: Restoring,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  await postgresProgram().catch((error: Error) => {
    throw error instanceof SetupError ? error : new SetupError(NO_SERVER)
  })
  const scratch = await mkdtemp(join(folder, 'millrace-check-'))
  await chmod(scratch, 0o711)
  const dataDir = join(scratch, 'postgres')
  try {
    const server = await startPostgres({ dataDir, durable: false })
    const stop = () => void server.stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      signal.throwIfAborted()
      await makeRoles(server.url, dump.roles)
      await restore(dump, { url: server.url, onTable, signal })
      return await use(await addressIn(server.url))
    } finally {
      signal.removeEventListener('abort', stop)
      await server.stop()
    }
  } finally {
    // As root the cluster may be in a folder that PostgreSQL's user can reach, with a link to it here.
    const elsewhere = await readlink(join(dataDir, 'cluster')).catch(() => undefined)
    if (elsewhere !== undefined) await rm(elsewhere, { recursive: true, force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

async function makeRoles(url: string, roles: readonly string[]): Promise<void> {
  await onServer(url, async query => {
    const known = (await query('select quote_ident(rolname) as name from pg_roles')).map(({ name }) => name)
    for (const role of roles) if (!known.includes(role)) await query(`create role ${role}`)
  })
}

/** The tables may be in a schema of their own. ANALYZE: without it the checks take long. */
async function addressIn(url: string): Promise<string> {
  const schema = await onServer(url, async query => {
    await query('analyze')
    return (await query(`select schemaname as name from pg_tables where tablename = 'migrations'`))[0]?.name
  })
  if (schema === undefined || schema === 'public') return url
  const address = new URL(url)
  address.searchParams.set('schema', schema)
  return address.href
}

type Query = (text: string) => Promise<{ name: string }[]>

async function onServer<T>(url: string, use: (query: Query) => Promise<T>): Promise<T> {
  const { client, end } = await openClient(url, { fallback_application_name: 'millrace backup check' })
  try {
    return await use(async text => (await client.query<{ name: string }>(text)).rows)
  } finally {
    await end()
  }
}

type Target = Pick<Restoring, 'onTable' | 'signal'> & { readonly url: string }

/** The address is passed in the environment: every user of the machine can read a process's arguments. */
function restore({ file, program, isPlain }: Dump, { url, onTable, signal }: Target): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const database = pathname.slice(1)
  const args = isPlain
    ? ['--no-psqlrc', '--echo-queries', '--set=ON_ERROR_STOP=1', `--dbname=${database}`, `--file=${file}`]
    : ['--verbose', '--exit-on-error', '--no-owner', '--no-privileges', `--dbname=${database}`, file]
  const child = spawn(program, args, {
    env: {
      ...searchPath(),
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGOPTIONS: '-c client_min_messages=warning',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let tables = 0
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', line => {
    if (line.startsWith('COPY ')) onTable(++tables)
  })
  createInterface({ input: child.stderr }).on('line', line => {
    if (line.includes('processing data for table')) onTable(++tables)
    else if (/error:/i.test(line)) errors.push(line)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve()
      else reject(new SetupError(`${file} cannot be restored: ${firstLine(errors.join('\n'))}`))
    })
  })
}
