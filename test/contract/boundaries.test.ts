/**
 * The import boundaries (`biome.json`): each rule is shown to flag a file that breaks it, and to leave alone the places
 * where the import belongs. The files are written to a folder of their own, never into the tree.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const root = fileURLToPath(new URL('../..', import.meta.url))
const CLOCK_PLUGIN = 'test/contract/rules-without-clock.grit'

type Case = {
  readonly guarantee: string
  readonly source: string
  readonly refused: readonly string[]
  readonly allowed: readonly string[]
}

const imports = (specifier: string) => `import { thing } from '${specifier}'\nthing()\n`
const importsType = (specifier: string) => `import type { Thing } from '${specifier}'\nexport type Other = Thing\n`

const cases: readonly Case[] = [
  {
    guarantee: 'nothing but bin and tests imports the server',
    source: imports('../../server/app.ts'),
    refused: [
      'lib/stock/commands.ts',
      'lib/pipeline/tenant-queues.ts',
      'lib/redis/redis.ts',
      'workers/commands/run.ts',
    ],
    allowed: ['bin/tools/start.ts', 'test/contract/some.test.ts', 'server/docs-page.ts'],
  },
  {
    guarantee: 'nothing but bin and tests imports the workers',
    source: imports('../../workers/commands.ts'),
    refused: ['lib/stock/commands.ts', 'lib/pipeline/tenant-queues.ts', 'server/docs-page.ts'],
    allowed: ['bin/tools/start.ts', 'test/contract/some.test.ts', 'workers/commands/run.ts'],
  },
  {
    guarantee: 'koa is imported only in the server',
    source: imports('koa'),
    refused: ['lib/api/routes.ts', 'lib/pipeline/tenant-queues.ts', 'workers/run.ts'],
    allowed: ['server/app.ts', 'test/contract/some.test.ts'],
  },
  {
    guarantee: "koa's companions are imported only in the server",
    source: imports('@koa/router') + imports('koa-body').replaceAll('thing', 'other'),
    refused: ['lib/api/routes.ts', 'workers/run.ts'],
    allowed: ['server/app.ts'],
  },
  {
    guarantee: 'bullmq is imported only by the two queues and in the workers',
    source: importsType('bullmq'),
    refused: ['lib/stock/commands.ts', 'lib/redis/redis.ts', 'lib/pipeline/command-log.ts', 'server/app.ts'],
    allowed: ['lib/pipeline/tenant-queues.ts', 'lib/webhooks/queue.ts', 'workers/run.ts', 'test/stock/some.test.ts'],
  },
  {
    guarantee: 'ioredis is imported only in lib/redis',
    source: importsType('ioredis'),
    refused: ['lib/access/rate.ts', 'lib/pipeline/tenant-queues.ts', 'server/app.ts', 'workers/run.ts'],
    allowed: ['lib/redis/redis.ts', 'lib/redis/scripts.ts', 'test/stock/some.test.ts'],
  },
  ...[
    'slonik',
    'pg',
    'ioredis',
    'bullmq',
    'koa',
    'undici',
    'node:fs',
    'node:fs/promises',
    'node:net',
    'node:timers',
  ].map(
    (specifier): Case => ({
      guarantee: `rules import no ${specifier}`,
      source: imports(specifier),
      refused: ['lib/stock/rules.ts', 'lib/stock/ledger-rules.ts'],
      allowed: ['test/stock/rules.test.ts'],
    }),
  ),
  {
    guarantee: 'rules import nothing of the store, not even a type',
    source: importsType('../postgres/postgres.ts'),
    refused: ['lib/stock/rules.ts', 'lib/stock/ledger-rules.ts'],
    allowed: ['lib/stock/commands.ts'],
  },
  ...['Date.now()', 'new Date()', 'performance.now()', 'Math.random()'].map(
    (clock): Case => ({
      guarantee: `rules take neither time nor chance from ${clock}`,
      source: `export const now = () => ${clock}\n`,
      refused: ['lib/stock/rules.ts', 'lib/stock/ledger-rules.ts'],
      allowed: ['lib/stock/commands.ts'],
    }),
  ),
  {
    guarantee: 'rules may read a time that they are given',
    source: 'export const year = (text: string) => new Date(text).getUTCFullYear() + Date.parse(text)\n',
    refused: [],
    allowed: ['lib/stock/rules.ts'],
  },
  {
    guarantee: 'the environment is read only in the settings, the embedded services, bin and tests',
    source: 'export const port = process.env.PORT\n',
    refused: ['lib/stock/commands.ts', 'lib/redis/redis.ts', 'server/app.ts', 'workers/run.ts'],
    allowed: ['lib/config.ts', 'lib/embedded/redis.ts', 'bin/start.ts', 'test/stock/some.test.ts'],
  },
]

for (const { guarantee, source, refused, allowed } of cases) {
  test.serial(guarantee, async t => {
    const flagged = await lint([...refused, ...allowed], source)
    t.deepEqual([...flagged].sort(), [...refused].sort())
  })
}

test('imports between the folders of lib run one way', async t => {
  const imports = new Map<string, Set<string>>()
  const paths = (await readdir(join(root, 'lib'), { recursive: true })).filter(path => path.endsWith('.ts'))
  const folderOf = (path: string) => path.split('/')[path.includes('/') ? 0 : 1] ?? path
  for (const path of paths) {
    const source = await readFile(join(root, 'lib', path), 'utf8')
    const own = imports.get(folderOf(path)) ?? new Set()
    imports.set(folderOf(path), own)
    for (const [, specifier = ''] of source.matchAll(/ from '(\.[^']+)'/g))
      own.add(folderOf(join(dirname(path), specifier)))
    own.delete(folderOf(path))
  }
  t.true((imports.get('sales')?.size ?? 0) > 5, 'imports are read')
  // A folder that imports none of those left is taken away, until nothing is left but circles.
  for (let size = -1; size !== imports.size; ) {
    size = imports.size
    for (const [folder, others] of imports)
      if (!others.values().some(other => imports.has(other))) imports.delete(folder)
  }
  t.deepEqual([...imports.keys()], [])
})

/** Writes `source` under each path beside the linter's configuration and returns the paths that it flags. */
async function lint(paths: readonly string[], source: string): Promise<ReadonlySet<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-lint-'))
  try {
    await mkdir(dirname(join(folder, CLOCK_PLUGIN)), { recursive: true })
    await cp(join(root, CLOCK_PLUGIN), join(folder, CLOCK_PLUGIN))
    const { vcs: _, ...configuration } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
    await writeFile(join(folder, 'biome.json'), JSON.stringify(configuration))
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), source)
    }
    return await flaggedBy(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function flaggedBy(folder: string): Promise<ReadonlySet<string>> {
  const arguments_ = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  return new Promise((resolve, reject) => {
    execFile(join(root, 'node_modules/.bin/biome'), arguments_, { cwd: folder }, (_error, stdout, stderr) => {
      try {
        const { diagnostics } = JSON.parse(stdout)
        resolve(new Set(diagnostics.map((diagnostic: Diagnostic) => diagnostic.location.path.replace(/^\.\//, ''))))
      } catch (error) {
        reject(new Error(`the linter did not answer: ${stdout}${stderr}`, { cause: error }))
      }
    })
  })
}

type Diagnostic = { readonly location: { readonly path: string } }
