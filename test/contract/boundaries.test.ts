/**
 * The import boundaries (`biome.json`): each rule flags a file that breaks it, and flags none where the import is allowed. The test writes
 * its files to a folder outside the tree.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const root = fileURLToPath(new URL('../..', import.meta.url))
const PLUGINS = 'test/contract/lint'

type Case = {
  readonly guarantee: string
  readonly source: string
  readonly refused: readonly string[]
  readonly allowed: readonly string[]
}

const imports = (specifier: string) => `import { thing } from '${specifier}'\nthing()\n`
const importsType = (specifier: string) => `import type { Thing } from '${specifier}'\nexport type Other = Thing\n`

/** The folders of lib, and which other folders each may import. */
const folders: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  kit: ['platform'],
  domain: ['platform', 'kit'],
  pipeline: ['platform', 'kit'],
  access: ['platform', 'kit'],
  work: ['platform', 'kit', 'pipeline', 'access'],
  webhooks: ['platform', 'kit', 'work'],
  security: ['platform', 'kit', 'access'],
  openapi: ['platform', 'kit', 'webhooks'],
  tools: ['platform', 'kit', 'domain', 'pipeline', 'access', 'work', 'webhooks', 'security', 'openapi'],
}
/** The areas of the domain, lowest first: each may import those before it. */
const areas = [
  ...['accounting', 'catalogue', 'places', 'partners', 'stock'],
  ...['purchasing', 'sales', 'manufacturing', 'planning'],
]

const ordered: readonly Case[] = [
  ...Object.keys(folders).map(target => ({
    guarantee: `lib/${target} is imported only by the folders above it`,
    source: importsType(`../../${target}/thing/thing.ts`),
    refused: filesOf(([folder, others]) => folder !== target && !others.includes(target)),
    allowed: filesOf(([folder, others]) => folder === target || others.includes(target)),
  })),
  ...areas.map((target, at) => ({
    guarantee: `lib/domain/${target} is imported only by the areas above it`,
    source: importsType(`../../${target}/thing/thing.ts`),
    refused: areas.slice(0, at).map(area => `lib/domain/${area}/other/some.ts`),
    allowed: areas.slice(at).map(area => `lib/domain/${area}/other/some.ts`),
  })),
]

function filesOf(isWanted: (folder: [string, readonly string[]]) => boolean): string[] {
  return Object.entries(folders)
    .filter(isWanted)
    .map(([folder]) => `lib/${folder}/other/some.ts`)
}

const cases: readonly Case[] = [
  ...ordered,
  {
    guarantee: 'nothing but bin and tests imports the server',
    source: imports('../../server/app.ts'),
    refused: [
      'lib/domain/stock/commands.ts',
      'lib/pipeline/tenant-queues.ts',
      'lib/platform/redis/redis.ts',
      'workers/commands/run.ts',
    ],
    allowed: ['bin/tools/start.ts', 'test/contract/some.test.ts', 'server/docs-page.ts'],
  },
  {
    guarantee: 'nothing but bin and tests imports the workers',
    source: imports('../../workers/commands.ts'),
    refused: ['lib/domain/stock/commands.ts', 'lib/pipeline/tenant-queues.ts', 'server/docs-page.ts'],
    allowed: ['bin/tools/start.ts', 'test/contract/some.test.ts', 'workers/commands/run.ts'],
  },
  {
    guarantee: 'koa is imported only in the server',
    source: imports('koa'),
    refused: ['lib/kit/api/routes.ts', 'lib/pipeline/tenant-queues.ts', 'workers/run.ts'],
    allowed: ['server/app.ts', 'test/contract/some.test.ts'],
  },
  {
    guarantee: "koa's companions are imported only in the server",
    source: imports('@koa/router') + imports('koa-body').replaceAll('thing', 'other'),
    refused: ['lib/kit/api/routes.ts', 'workers/run.ts'],
    allowed: ['server/app.ts'],
  },
  {
    guarantee: 'bullmq is imported only by the two queues and in the workers',
    source: importsType('bullmq'),
    refused: [
      'lib/domain/stock/commands.ts',
      'lib/platform/redis/redis.ts',
      'lib/pipeline/command-log.ts',
      'server/app.ts',
    ],
    allowed: ['lib/pipeline/tenant-queues.ts', 'lib/webhooks/queue.ts', 'workers/run.ts', 'test/stock/some.test.ts'],
  },
  {
    guarantee: 'ioredis is imported only in lib/platform/redis',
    source: importsType('ioredis'),
    refused: ['lib/access/rate.ts', 'lib/pipeline/tenant-queues.ts', 'server/app.ts', 'workers/run.ts'],
    allowed: ['lib/platform/redis/redis.ts', 'lib/platform/redis/scripts.ts', 'test/stock/some.test.ts'],
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
      refused: ['lib/domain/stock/rules.ts', 'lib/domain/stock/ledger-rules.ts'],
      allowed: ['test/stock/rules.test.ts'],
    }),
  ),
  {
    guarantee: 'rules import nothing of the store, not even a type',
    source: importsType('../../platform/postgres/postgres.ts'),
    refused: ['lib/domain/stock/rules.ts', 'lib/domain/stock/ledger-rules.ts'],
    allowed: ['lib/domain/stock/commands.ts'],
  },
  ...['Date.now()', 'new Date()', 'performance.now()', 'Math.random()'].map(
    (clock): Case => ({
      guarantee: `rules take neither time nor chance from ${clock}`,
      source: `export const now = () => ${clock}\n`,
      refused: ['lib/domain/stock/rules.ts', 'lib/domain/stock/ledger-rules.ts'],
      allowed: ['lib/domain/stock/commands.ts'],
    }),
  ),
  {
    guarantee: 'rules may read a time that they are given',
    source: 'export const year = (text: string) => new Date(text).getUTCFullYear() + Date.parse(text)\n',
    refused: [],
    allowed: ['lib/domain/stock/rules.ts'],
  },
  {
    guarantee: 'the environment is read only in the settings, the embedded services, bin and tests',
    source: 'export const port = process.env.PORT\n',
    refused: ['lib/domain/stock/commands.ts', 'lib/platform/redis/redis.ts', 'server/app.ts', 'workers/run.ts'],
    allowed: ['lib/platform/config.ts', 'lib/tools/embedded/redis.ts', 'bin/start.ts', 'test/stock/some.test.ts'],
  },
  {
    guarantee: 'a test file declares its tests through the suite',
    source: "import ava, { type ExecutionContext } from 'ava'\nava('some', (_: ExecutionContext) => {})\n",
    refused: ['test/stock/some.test.ts', 'test/support/service.ts'],
    allowed: ['test/support/suite.ts'],
  },
  {
    guarantee: "a test file may name AVA's types",
    source: "import type { ExecutionContext } from 'ava'\nexport type Other = ExecutionContext\n",
    refused: [],
    allowed: ['test/stock/some.test.ts'],
  },
]

const folder = await mkdtemp(join(tmpdir(), 'millrace-lint-'))
test.after.always(() => rm(folder, { recursive: true, force: true }))
let flagged: ReadonlySet<string>
test.before(async () => {
  await writeCases()
  flagged = await flaggedBy(folder)
})

for (const [at, { guarantee, refused, allowed }] of cases.entries()) {
  test(guarantee, t => {
    const own = [...refused, ...allowed].filter(path => flagged.has(`${at}/${path}`))
    t.deepEqual(own.sort(), [...refused].sort())
  })
}

/**
 * Writes the files of each case to a folder that has the linter's configuration, so that paths mean the same there as in the tree. One run
 * of the linter checks all of them, since its start takes longer than the files.
 */
async function writeCases(): Promise<void> {
  await cp(join(root, PLUGINS), join(folder, PLUGINS), { recursive: true })
  await write(join(folder, 'biome.json'), '{}')
  const { vcs: _, overrides, ...others } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
  const configuration = {
    ...others,
    root: false,
    overrides: overrides.map(({ plugins, ...override }: Override) =>
      plugins ? { ...override, plugins: plugins.map(plugin => `.${plugin}`) } : override,
    ),
  }
  for (const [at, { source, refused, allowed }] of cases.entries()) {
    await write(join(folder, `${at}/biome.json`), JSON.stringify(configuration))
    for (const path of [...refused, ...allowed]) await write(join(folder, `${at}/${path}`), source)
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** The paths that the linter flags in the folder. */
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

type Override = { readonly plugins?: readonly string[] }
type Diagnostic = { readonly location: { readonly path: string } }
