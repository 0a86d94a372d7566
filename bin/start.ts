/**
 * `npm start`: starts the embedded services (or uses the given ones), migrates, makes a demo tenant, and supervises every process of the
 * Procfile until a signal ends them in order.
 */
import { chmod, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { migrateCells } from '../lib/access/cells/migrate-cells.ts'
import { cellsOf, MAIN } from '../lib/platform/cells.ts'
import { type Config, loadConfig } from '../lib/platform/config.ts'
import { ConfigError } from '../lib/platform/config-error.ts'
import { mailFolder } from '../lib/platform/mail/folder.ts'
import { openClient } from '../lib/platform/postgres/client.ts'
import { missingKey } from '../lib/platform/secret-box.ts'
import { explain } from '../lib/tools/cli/explain.ts'
import { progressLine } from '../lib/tools/cli/progress.ts'
import { sendOver } from '../lib/tools/demo/client.ts'
import { fillDemo } from '../lib/tools/demo/data.ts'
import { type Addresses, chooseAddresses } from '../lib/tools/embedded/addresses.ts'
import { banner } from '../lib/tools/embedded/banner.ts'
import { claimDataFolder, makeDataFolder } from '../lib/tools/embedded/data-folder.ts'
import { lockDataFolder } from '../lib/tools/embedded/data-lock.ts'
import { keepDemo } from '../lib/tools/embedded/demo-file.ts'
import { embeddedServices } from '../lib/tools/embedded/embedded-services.ts'
import { type LogLines, logLines } from '../lib/tools/embedded/log-lines.ts'
import { checkOutsideServices } from '../lib/tools/embedded/outside-services.ts'
import { type PlannedProcess, parseProcfile, parseScale, planProcesses } from '../lib/tools/embedded/procfile.ts'
import { procfileProcess } from '../lib/tools/embedded/procfile-process.ts'
import type { Quiet } from '../lib/tools/embedded/readable-lines.ts'
import { type RunFile, removeRunFile, runFile } from '../lib/tools/embedded/run-file.ts'
import { webhookKeyIn } from '../lib/tools/embedded/secret-file.ts'
import { SetupError } from '../lib/tools/embedded/setup-error.ts'
import { type Supervisor, supervise } from '../lib/tools/embedded/supervisor.ts'
import { untilServing } from '../lib/tools/embedded/until-serving.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `usage: npm start -- [--scale kind=count,...] [--procfile FILE]

  --scale worker=2,web=2   how many processes of a kind (1 each)
  --procfile FILE          the processes to run (Procfile)`
// A process that has died this often before the service was ready will not become ready.
const DEATHS_MAX = 5
const NPM_LOOK_MS = 500

type Run = {
  config: Config
  dataFolder: string
  processes: PlannedProcess[]
  addresses: Addresses
  log: LogLines
  supervisor: Supervisor
  file: RunFile
  quiet: Quiet
}

// If the reader of the output goes away (a pipe into `head`, a closed terminal), the service must keep running. Slonik's logger throws from
// its own listener on every error except EPIPE, and a closed terminal gives EIO.
for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {})
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof SetupError || error instanceof ConfigError ? error.message : error)
  process.exit(1)
}

async function main(): Promise<number> {
  const options = readOptions()
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const config = readSettings()
  const text = await readFile(resolve(ROOT, options.procfile), 'utf8').catch((error: Error) => {
    throw new SetupError(`--procfile cannot be read: ${error.message}`)
  })
  const kinds = parseProcfile(text)
  const processes = planProcesses(kinds, parseScale(options.scale, kinds))
  const dataFolder = resolve(config.dataFolder)
  await makeDataFolder(dataFolder)
  // As root, PostgreSQL runs as another user, which must be able to enter the folder.
  if (process.getuid?.() === 0) await chmod(dataFolder, 0o711)
  const lock = await lockDataFolder(dataFolder)
  await claimDataFolder(dataFolder)
  await removeRunFile(dataFolder) // left by a run that was killed
  const addresses = await chooseAddresses(config, processes)

  const names = [...processes.map(({ name }) => name), 'postgres', 'redis']
  const quiet: Quiet = { tenantId: null, until: null }
  const log = await linesTo(process.stdout, { names, quiet })
  const file = runFile(dataFolder, names)
  const ending = Promise.withResolvers<void>()
  const deaths = new Map<string, number>()
  let isReady = false
  const supervisor = supervise({
    onStart: (name, pid) => {
      log(name, `started as process ${pid}`)
      const admin = addresses.adminUrlOf(name)
      file.processStarted({ name, pid, ...(admin === null ? {} : { admin_url: admin }) })
    },
    onDeath: (name, reason, retryMs) => {
      log(name, `${reason}; starting it again in ${retryMs} ms`)
      deaths.set(name, (deaths.get(name) ?? 0) + 1)
      if (isReady || (deaths.get(name) ?? 0) < DEATHS_MAX) return
      ending.reject(new SetupError(`${name} keeps ending; its own lines above say why`))
    },
  })
  // The handlers stay: a signal to the whole process group arrives twice, and the second must not force the end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.resolve())
  whenNpmIsGone(() => ending.resolve())
  void ending.promise.then(
    () => console.log('Stopping: running requests finish first.'),
    () => {},
  )

  const run: Run = { config, dataFolder, processes, addresses, log, supervisor, file, quiet }
  try {
    const serving = serve(run).then(() => {
      isReady = true
      return ending.promise
    })
    await Promise.race([serving, ending.promise])
  } finally {
    await supervisor.stop()
    await file.remove()
    lock.release()
  }
  console.log(config.databaseUrl === undefined ? `Stopped. The data is kept in ${dataFolder}.` : 'Stopped.')
  return 0
}

/** The pretty printer is loaded only for a terminal. Pipes and files get the processes' lines unchanged. */
async function linesTo(output: NodeJS.WriteStream, of: { names: readonly string[]; quiet: Quiet }): Promise<LogLines> {
  if (!output.isTTY) return logLines(output, of)
  const { readableLines } = await import('../lib/tools/embedded/readable-lines.ts')
  return readableLines(output, of)
}

/** npm passes SIGINT and SIGTERM on. A signal that kills npm (SIGHUP, SIGKILL) would leave the service running. */
function whenNpmIsGone(end: () => void): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && end(), NPM_LOOK_MS).unref()
}

async function serve(run: Run): Promise<void> {
  const { config, processes, addresses, log, supervisor, file, dataFolder, quiet } = run
  const isEmbedded = config.databaseUrl === undefined
  const urls = await serviceUrls(run)
  file.addresses({
    base_url: addresses.baseUrl,
    admin_url: addresses.adminUrl,
    database_url: urls.databaseUrl,
    redis_url: urls.redisUrl,
  })
  const say = (text: string) => log('postgres', text)
  await migrateCells(cellsOf({ ...config, databaseUrl: urls.databaseUrl }), {
    progress: progressLine({ write: text => say(text.trimEnd()) }),
    onCell: ({ cell, applied }) => {
      if (applied.length > 0)
        say(`${cell === MAIN ? '' : `${cell}: `}${applied.length} migrations applied, the last ${applied.at(-1)}`)
    },
  }).catch((error: unknown) => {
    throw new SetupError(`the database could not be migrated: ${explain(error)}`)
  })
  if (isEmbedded) await forgetNotedSettings(urls.databaseUrl)
  const keyOfFolder = config.webhookSecretKeys ? {} : { WEBHOOK_SECRET_KEY: await webhookKeyIn(dataFolder) }
  const { baseUrl, adminUrl } = addresses
  const demo = isEmbedded
    ? await keepDemo({ dataFolder, databaseUrl: urls.databaseUrl, baseUrl, create: makeDemo })
    : null
  quiet.tenantId = demo?.tenant_id ?? null

  const service = (planned: PlannedProcess) =>
    procfileProcess(planned, {
      cwd: ROOT,
      env: {
        ...process.env,
        ...keyOfFolder,
        DATABASE_URL: urls.databaseUrl,
        REDIS_URL: urls.redisUrl,
        // The files have been read by now.
        DATABASE_URL_FILE: '',
        REDIS_URL_FILE: '',
        HOST: config.host,
        PORT: String(addresses.port),
        ADMIN_HOST: config.adminHost,
        ADMIN_PORT: String(addresses.adminPortOf(planned.name)),
        MILLRACE_DATA: dataFolder,
      },
      onLine: line => log(planned.name, line),
    })
  // Web processes start last, so that they stop first: running requests still have a worker.
  const webs = processes.filter(({ kind }) => kind === 'web')
  await supervisor.startStage(processes.filter(({ kind }) => kind !== 'web').map(service))
  await supervisor.startStage(webs.map(service))
  await file.written()
  if (webs.length > 0) await untilServing(`${baseUrl}/readyz`, what => log('web', what))
  if (demo !== null && webs.length > 0 && processes.some(({ kind }) => kind === 'worker'))
    await fillDemo(sendOver(baseUrl, demo.token), line => log('demo', line)).catch((error: Error) =>
      log('demo', `not filled: ${error.message}`),
    )
  quiet.until = new Date()
  const mails = config.smtpUrl === undefined ? mailFolder(dataFolder) : null
  for (const line of banner({ baseUrl, adminUrl, dataFolder, demo, mailFolder: mails })) console.log(line)
}

/** All processes of a data folder start together, and each start may have other settings. So the noted settings are forgotten. */
async function forgetNotedSettings(databaseUrl: string): Promise<void> {
  const { client, end } = await openClient(databaseUrl, { fallback_application_name: 'millrace start' })
  await client.query('delete from service_settings').finally(end)
}

/** Only a first start makes a demo. The demo's code is a third of all code that is loaded here. */
async function makeDemo(databaseUrl: string): Promise<{ tenantId: string; token: string }> {
  const { createDemo } = await import('../lib/tools/demo/tenant.ts')
  return createDemo(databaseUrl)
}

async function serviceUrls({ config, dataFolder, log, supervisor }: Run): Promise<Urls> {
  const { databaseUrl, redisUrl } = config
  if (databaseUrl !== undefined && redisUrl !== undefined) {
    await checkOutsideServices({ databaseUrl, redisUrl })
    return { databaseUrl, redisUrl }
  }
  const { postgres, redis } = embeddedServices(dataFolder, log)
  await supervisor.startStage([postgres])
  await supervisor.startStage([redis])
  return { databaseUrl: postgres.url(), redisUrl: redis.url() }
}
type Urls = { databaseUrl: string; redisUrl: string }

function readSettings(): Config {
  const faults: string[] = []
  let config: Config | undefined
  try {
    config = loadConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.push(...error.faults)
  }
  const [database, redis] = ['DATABASE_URL', 'REDIS_URL'].map(name => process.env[name] || process.env[`${name}_FILE`])
  // With only one of the two, the other half of the data would stay on this machine without notice.
  if (!database !== !redis) {
    const [given, missing] = database ? ['DATABASE_URL', 'REDIS_URL'] : ['REDIS_URL', 'DATABASE_URL']
    faults.push(`${given} is set but ${missing} is not: set both, or neither for the embedded services`)
  }
  if (database && redis && config && !config.webhookSecretKeys) faults.push(missingKey(config.dataFolder))
  if (config === undefined || faults.length > 0) throw new ConfigError(...faults)
  return config
}

function readOptions(): { help: boolean; scale: string[]; procfile: string } {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        scale: { type: 'string', multiple: true, default: [] },
        procfile: { type: 'string', default: join(ROOT, 'Procfile') },
      },
    })
    return values
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
}
