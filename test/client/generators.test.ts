/**
 * Clients that public generators make from the committed OpenAPI document: each compiles under strict rules and sends a bulk to the
 * service.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import { testServices } from '../support/services.ts'
import { apart } from '../support/suite.ts'

const test = apart(import.meta)

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const programs = join(root, 'test/client/generators')
const description = join(root, 'lib/openapi/openapi.json')

/** The folder in which the generators are installed, one for each lock file. Only this test waits for a registry. */
async function installed(): Promise<string> {
  const lock = await readFile(join(programs, 'package-lock.json'))
  const folder = join(
    root,
    'node_modules/.cache/generators',
    createHash('sha256').update(lock).digest('hex').slice(0, 16),
  )
  if (await readFile(join(folder, 'package.json')).catch(() => undefined)) return folder
  const making = `${folder}.${process.pid}`
  await mkdir(making, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) await cp(join(programs, name), join(making, name))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: making })
  await rename(making, folder)
  return folder
}

const generators = [
  { name: 'openapi-fetch', command: ['openapi-typescript', description, '-o', 'schema.ts'] },
  { name: 'hey-api', command: ['openapi-ts', '-i', description, '-o', 'hey-api', '-c', '@hey-api/client-fetch'] },
  {
    name: 'swagger-typescript-api',
    command: ['swagger-typescript-api', 'generate', '-p', description, '-o', 'swagger-typescript-api', '-n', 'api.ts'],
  },
] as const

test('clients of three public generators compile and send a bulk', async t => {
  // On a new machine the test installs the generators first.
  const services = await testServices()
  const service = await startService(services)
  try {
    const { token } = await service.tenant()
    const folder = await installed()
    for (const { name, command } of generators) {
      // Not below node_modules, since the compiler does not compile the files there.
      const project = await temporaryFolder()
      await symlink(join(folder, 'node_modules'), join(project, 'node_modules'))
      const [bin, ...options] = command
      await run(join(folder, 'node_modules/.bin', bin), options, { cwd: project })
      for (const file of ['shared.ts', `${name}.ts`]) await cp(join(programs, file), join(project, file))
      const compilerOptions = {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        rewriteRelativeImportExtensions: true,
        outDir: 'made',
      }
      await writeFile(join(project, 'package.json'), '{ "type": "module" }')
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
      await run(join(folder, 'node_modules/.bin/tsc'), ['-p', project]).catch(({ stdout }) => {
        throw new Error(stdout)
      })
      const { stdout } = await run(process.execPath, [join(project, 'made', `${name}.js`), service.url, token, name])
      const results = JSON.parse(stdout) as readonly { status: number; body: { title: string } }[]
      const made = results.map(({ status, body }) => `${status} ${body.title}`)
      t.deepEqual(made, [`201 ${name}`, `201 ${name}`])
    }
  } finally {
    await service.close()
    await services.close()
  }
})
