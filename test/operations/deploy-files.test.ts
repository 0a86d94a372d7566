/** The examples of docs/deploy and compose.yaml compared with the Procfile and the settings. Nothing is started. */
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../lib/platform/config.ts'
import { pathOf } from '../../lib/tools/embedded/system-program.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const text = (file: string) => readFile(join(ROOT, file), 'utf8')

const procfile = Object.fromEntries(
  (await text('Procfile'))
    .trim()
    .split('\n')
    .map(line => line.split(': ')),
) as Record<string, string>
const names = Object.keys(procfile).toSorted()

const UNITS = 'docs/deploy/systemd'
const unitOf = async (file: string) => ({ file, unit: await text(`${UNITS}/${file}`) })
const units = await Promise.all((await readdir(join(ROOT, UNITS))).toSorted().map(unitOf))

const analyze = await pathOf('systemd-analyze')

type ComposeService = {
  readonly image: string
  readonly mem_limit?: string
  readonly logging?: { readonly options: Record<string, string> }
  readonly command?: readonly string[]
  readonly environment?: Record<string, string>
}
type Compose = { readonly services: Record<string, ComposeService>; readonly volumes: Record<string, null> }
const composeOf = async (file: string) => parse(await text(file), { merge: true }) as Compose

test('each container of compose.yaml has a limit of memory and of its logs, and Redis fits into its own twice', async t => {
  const { services } = await composeOf('compose.yaml')
  for (const [name, service] of Object.entries(services)) {
    t.regex(service.mem_limit ?? '', /^\$\{[A-Z_]+:-\d+g\}$/, name)
    t.truthy(service.logging?.options['max-size'], name)
    t.truthy(service.logging?.options['max-file'], name)
  }
  const gigabytes = (words: string) => Number(/:-(\d+)gb?\}/.exec(words)?.[1])
  const { redis } = services
  const maxmemory = redis?.command?.[redis.command.indexOf('--maxmemory') + 1] ?? ''
  t.is(gigabytes(redis?.mem_limit ?? ''), 2 * gigabytes(maxmemory))
})

test('Redis of compose.yaml asks for a password, which the processes and its own check have', async t => {
  const { services } = await composeOf('compose.yaml')
  const { redis, web } = services
  const password = redis?.command?.[redis.command.indexOf('--requirepass') + 1] ?? ''
  t.regex(password, /^\$\{REDIS_PASSWORD:\?/)
  t.is(redis?.environment?.['REDISCLI_AUTH'], password)
  t.is(web?.environment?.['REDIS_URL'], `redis://default:${password}@redis:6379`)
})

test('the cells of the override reach every process, and their PostgreSQL is that of main', async t => {
  const [base, cells] = await Promise.all([composeOf('compose.yaml'), composeOf('docs/deploy/compose.cells.yaml')])
  for (const name of names) {
    const { CELL_EAST_URL: url = '' } = cells.services[name]?.environment ?? {}
    const { cells: found } = loadConfig({ CELL_EAST_URL: url.replace(/\$\{[^}]*\}/, 'secret') })
    t.deepEqual(
      found.map(cell => [cell.name, new URL(cell.databaseUrl).hostname]),
      [['east', 'postgres-east']],
      name,
    )
  }
  t.deepEqual(
    { ...cells.services['postgres-east'], volumes: ['postgres:/var/lib/postgresql'] },
    { ...base.services['postgres'], volumes: ['postgres:/var/lib/postgresql'] },
  )
  t.true('postgres-east' in cells.volumes)
})

test('the units of systemd run what the Procfile names', t => {
  const commands = units.map(({ file, unit }) => [
    /^millrace-(\w+)@?\.service$/.exec(file)?.[1],
    /^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit)?.[1],
  ])
  t.deepEqual(Object.fromEntries(commands), procfile)
  for (const { file, unit } of units) {
    const given = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) =>
      pairs.replaceAll('%i', '1').split(' '),
    )
    t.notThrows(() => loadConfig(Object.fromEntries(given.map(pair => pair.split('=')))), file)
    // A process that ends at once, again and again, is started again without a limit.
    if (unit.includes('Restart=always')) t.regex(unit, /^StartLimitIntervalSec=0$/m, file)
  }
})

const testUnits = analyze === null ? test.skip : test

testUnits(
  `systemd finds nothing wrong with the units${analyze === null ? ' (skipped: no systemd-analyze)' : ''}`,
  async t => {
    const folder = await temporaryFolder()
    // The files name another path of Node, and the instance 1.
    const files = await Promise.all(
      units.map(async ({ file, unit }) => {
        const copy = join(folder, file.replace('@', '@1'))
        await writeFile(copy, unit.replace('/usr/bin/node', process.execPath))
        return copy
      }),
    )
    const { stderr } = await run(analyze ?? '', ['verify', '--man=no', '--recursive-errors=no', ...files])
    t.is(stderr, '')
  },
)

type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> }
  readonly data?: Record<string, string>
  readonly stringData?: Record<string, string>
  readonly spec: {
    readonly selector: Record<string, unknown>
    readonly template: {
      readonly metadata: { readonly labels: Record<string, string> }
      readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly Container[] }
    }
  }
}
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
type Container = {
  readonly name: string
  readonly command: readonly string[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
}

test('the policies of the network name processes that are there, and let the admin port be reached by Prometheus alone', async t => {
  type Policy = {
    readonly kind: string
    readonly spec: {
      readonly podSelector: { readonly matchLabels: Record<string, string> }
      readonly policyTypes: readonly string[]
      readonly ingress?: readonly {
        readonly from?: readonly unknown[]
        readonly ports: readonly { readonly port: number }[]
      }[]
    }
  }
  const policies = parseAllDocuments(await text('docs/deploy/kubernetes/network.yaml')).map(
    each => each.toJS() as Policy,
  )
  t.true(policies.every(({ kind }) => kind === 'NetworkPolicy'))
  for (const { spec } of policies) {
    const { app, process = 'web', ...others } = spec.podSelector.matchLabels
    t.deepEqual({ app, others }, { app: 'millrace', others: {} })
    t.true(names.includes(process), process)
  }
  const open = policies.flatMap(({ spec }) => spec.ingress ?? [])
  t.true(open.every(({ from = [] }) => from.length > 0))
  t.deepEqual(
    open.map(({ from, ports }) => [JSON.stringify(from).includes('monitoring'), ports.map(({ port }) => port)]),
    [
      [false, [3000]],
      [true, [9090]],
    ],
  )
})

test('the manifests of Kubernetes run what the Procfile names, with settings that pass the checks', async t => {
  const files = ['settings', 'release', 'processes'].map(name => text(`docs/deploy/kubernetes/${name}.yaml`))
  const manifests = (await Promise.all(files)).flatMap(file =>
    parseAllDocuments(file).map(document => {
      t.deepEqual('errors' in document ? document.errors : [], [])
      return document.toJS() as Manifest
    }),
  )
  const pods = manifests.filter(({ kind }) => kind === 'Job' || kind === 'Deployment')
  const containers = pods.flatMap(({ spec }) => spec.template.spec.containers)
  t.deepEqual(Object.fromEntries(containers.map(({ name, command }) => [name, command.join(' ')])), procfile)
  for (const { kind, metadata, spec } of pods) {
    if (kind === 'Job') continue
    t.deepEqual(spec.selector['matchLabels'], spec.template.metadata.labels, metadata.name)
    t.true(spec.template.spec.terminationGracePeriodSeconds >= 75, metadata.name)
    const [container] = spec.template.spec.containers
    t.is(container?.ports.find(({ name }) => name === 'admin')?.containerPort, 9090)
    t.deepEqual(container?.readinessProbe.httpGet, { path: '/readyz', port: 'admin' })
    t.deepEqual(container?.livenessProbe.httpGet, { path: '/livez', port: 'admin' })
  }
  const settings = Object.assign({}, ...manifests.map(({ data, stringData }) => ({ ...data, ...stringData })))
  const config = loadConfig(settings)
  t.is(config.databaseUrl, settings.DATABASE_URL)
  t.true(config.trustProxy)
})
