/**
 * The client as its users have it: the tarball, installed in an empty project without a registry, compiled under the strictest settings,
 * and run against real processes by the second Node of this machine (20 or newer).
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { createPool, rows } from '../../lib/platform/postgres/postgres.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { pattern } from '../docs/worked-examples.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, type TestProcess } from '../support/processes.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'
import { within } from '../support/within.ts'

const test = apart(import.meta, { isSerial: true })

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const services = await testServices()
const port = await freePort()
const env = { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl, PORT: String(port) }
const processes: TestProcess[] = []
const start = async () => {
  for (const kind of ['worker', 'web'] as const) processes.push(await startProcess(kind, env))
}
const baseUrl = `http://127.0.0.1:${port}`
const project = await temporaryFolder()
const strictest = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  skipLibCheck: false,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
}

/** Compiles one file of the project. Rejects with the compiler's messages. */
async function compile(file: string, options: Readonly<Record<string, unknown>>): Promise<void> {
  const settings = { compilerOptions: { ...strictest, ...options }, files: [file] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(settings))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', project]).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}

/** The first Node of the PATH that is not this repository's, if it is new enough. Otherwise this repository's. */
async function otherNode(): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'node')
    if (folder.includes('node_modules')) continue
    const version = await run(file, ['-p', 'process.versions.node']).catch(() => undefined)
    if (Number.parseInt(version?.stdout ?? '0', 10) >= 20) return file
  }
  return process.execPath
}
const node = await otherNode()
const demo = { tenantId: '', token: '' }

test.before(async () => {
  await start()
  Object.assign(demo, await createDemo(services.databaseUrl))
  await fillDemo(sendOver(baseUrl, demo.token), () => {})
})
test.after.always(async () => {
  await Promise.all(processes.map(process => process.end('SIGKILL')))
  await services.close()
})

test('the tarball is small, holds what it must, and installs without a registry', async t => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: join(root, 'client') })
  const packed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)))
  const { filename, files } = Array.isArray(packed)
    ? packed[0]
    : Object.values<{ filename: string; files: { path: string }[] }>(packed)[0]
  const names: string[] = files.map(({ path }: { path: string }) => path)
  t.deepEqual(
    names.filter(name => !/^dist\/(shops\/)?[\w-]+\.(d\.ts|js)$/.test(name)),
    ['LICENSE', 'README.md', 'package.json'],
  )
  const { size } = await stat(join(project, filename))
  t.log(`${filename}: ${size} bytes`)
  t.true(size < 120_000)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: project })
  t.deepEqual(Object.keys(JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')).packages), [
    '',
    'node_modules/@millrace/client',
  ])
})

test("the README's programs compile under the strictest settings, and print what stands there", async t => {
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const parts = [...readme.matchAll(/^```(ts|text)\n([\s\S]*?)^```\n/gm)]
  const program = parts.flatMap(([, kind, text = '']) => (kind === 'ts' ? [text] : [])).join('\n')
  const printed = parts.flatMap(([, kind, text = '']) => (kind === 'text' ? [text] : [])).join('')
  t.true(program.length > 2000)
  await writeFile(
    join(project, 'readme.ts'),
    program.replace('https://millrace.example.com', baseUrl).replace('mrk_...', demo.token),
  )
  await compile('readme.ts', { types: [] })
  const { stdout } = await run(node, ['readme.js'], { cwd: project })
  t.regex(stdout, pattern(printed))
  // A project without the types of browsers and of Node compiles too.
  await writeFile(
    join(project, 'bare.ts'),
    "export * from '@millrace/client'\nexport * as shops from '@millrace/client/shops'\n",
  )
  await compile('bare.ts', { types: [], lib: ['es2022'] })
})

test('processes that are killed and started again in the middle double nothing and lose nothing', async t => {
  const { tenantId, token } = demo
  const send = sendOver(baseUrl, token)
  const idOf = async (path: string) =>
    String(((await send('GET', path)) as { data: [{ id: string; variants?: [{ id: string }] }] }).data[0].id)
  const {
    data: [product],
  } = (await send('GET', '/products?sku=FIL-SID')) as { data: [{ variants: [{ id: string }] }] }
  const source = await readFile(join(root, 'test/client/orders-over-restarts.ts'), 'utf8')
  await writeFile(join(project, 'orders.ts'), source.replace('../../client/src/index.ts', '@millrace/client'))
  await compile('orders.ts', { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] })
  const pool = await createPool(services.databaseUrl, { size: 1, ...within(5_000) })
  try {
    const program = spawn(node, ['orders.js', baseUrl, token, product.variants[0].id, await idOf('/customers')], {
      cwd: project,
    })
    const lines = linesOf(program)
    await eventually(() => lines.length >= 15, { what: 'a quarter of the orders' })
    await Promise.all(processes.splice(0).map(process => process.end('SIGKILL')))
    t.true(lines.length < 60, 'orders are left to be made')
    await start()
    t.is(await new Promise(resolve => program.once('close', resolve)), 0, lines.join('\n'))
    const { node: version, made, told } = JSON.parse(lines.at(-1) ?? '')
    t.log(version)
    t.is(new Set(made).size, 60)
    t.deepEqual(told.map(({ id }: { id: string }) => id).sort(), made.toSorted(), 'every order is told once')
    const sequences: number[] = told.map(({ sequence }: { sequence: number }) => sequence)
    t.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    )
    const orders = await pool.any(rows(v.object({ id: v.string() }))`
      select id::text from sales_orders where tenant_id = ${tenantId} and notes like 'order %'`)
    t.deepEqual(orders.map(({ id }) => id).sort(), made.toSorted(), 'no order is there twice')
  } finally {
    await pool.end()
  }
})

function linesOf(program: ChildProcess): string[] {
  const lines: string[] = []
  for (const stream of [program.stdout, program.stderr])
    if (stream) createInterface({ input: stream }).on('line', line => lines.push(line))
  return lines
}
