/** Dockerfile and compose.yaml without a Docker engine: the files that they name exist, and the content of the image suffices to start. */
import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../lib/platform/config.ts'
import { Settings } from '../../lib/platform/settings.ts'
import { isAtLength } from '../at-length.ts'
import { temporaryFolder } from '../support/servers.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)
/** The test loads the whole service three times. */
const longTest = isAtLength ? test : test.skip

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const text = (file: string) => readFile(join(ROOT, file), 'utf8')
const json = async (file: string) => JSON.parse(await text(file))
const [dockerfile, compose, ignored, procfile] = await Promise.all(
  ['Dockerfile', 'compose.yaml', '.dockerignore', 'Procfile'].map(text),
)

const known: readonly string[] = Object.keys(Settings.entries)

/** What each stage copies from the project. */
const stages = (dockerfile ?? '').split(/^FROM .*$/m).slice(1)
const copiedBy = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))

/** `name` -> command of the services of compose.yaml that run this image. */
function commands(): Map<string, string[]> {
  const ours = (compose ?? '').matchAll(/^ {2}(\w+):\n {4}<<: \*service\n(?: {4}.*\n)*? {4}command: \[(.*)\]$/gm)
  return new Map([...ours].map(([, name = '', command = '']) => [name, command.split(', ')]))
}

test('compose.yaml runs what the Procfile names, each process alone', t => {
  const lines = (procfile ?? '')
    .trim()
    .split('\n')
    .map(line => line.split(': '))
  t.deepEqual(
    Object.fromEntries([...commands()].map(([name, command]) => [name, command.join(' ')])),
    Object.fromEntries(lines),
  )
})

test('the image copies what is there, its context lets nothing else through, and its command is the Procfile’s web', t => {
  const allowed = [...(ignored ?? '').matchAll(/^!(.+)$/gm)].map(([, name = '']) => name)
  const copied = new Set(stages.flatMap(copiedBy).map(source => source.split('/')[0] ?? ''))
  t.deepEqual([...copied].sort(), allowed.sort())
  const [, command = ''] = /^CMD \[(.*)\]$/m.exec(dockerfile ?? '') ?? []
  t.true(procfile?.includes(`web: ${command.replaceAll('"', '').replaceAll(',', '')}\n`))
  t.regex(dockerfile ?? '', /^USER node$/m)
})

test('the image runs the Node that the tests run', async t => {
  t.is(/^ARG NODE_VERSION=(.*)$/m.exec(dockerfile ?? '')?.[1], (await json('package.json')).devDependencies.node)
  t.regex(dockerfile ?? '', /^ARG NODE_DIGEST=@sha256:[0-9a-f]{64}$/m)
})

test('the settings of the image and of compose.yaml are settings of the service, and pass its checks', async t => {
  const env = [...(dockerfile ?? '').matchAll(/\b([A-Z_]+)=(\S+)/g)].filter(
    ([, name, value]) => !/^NODE_/.test(name ?? '') && value !== `$${name}`,
  )
  const settings = [...(compose ?? '').matchAll(/^ {4}([A-Z_]+): (.*)$/gm)]
  t.true(settings.length > 5)
  for (const [, name] of [...env, ...settings]) t.true(known.includes(name ?? ''), name)
  const values = settings.map(([, name, value = '']) => [
    name,
    value.replace(/\$\{WEBHOOK_SECRET_KEY[^}]*\}/, 'A'.repeat(43)).replace(/\$\{\w+(?::-([^}]*)|[^}]*)\}/g, '$1'),
  ])
  t.is(loadConfig(Object.fromEntries([...env.map(([, name, value]) => [name, value]), ...values])).adminPort, 9090)
  t.true(dockerfile?.includes('http://127.0.0.1:9090/readyz'))
})

test('compose.yaml passes every setting that the image does not give', async t => {
  const image = [...(dockerfile ?? '').matchAll(/^ENV ([\s\S]*?[^\\])$/gm)].map(([, env]) => env).join('\n')
  const given = [...image.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name)
  const passed = [...(compose ?? '').matchAll(/^ {4}([A-Z_]+): \$\{(\w+):[-?].*\}$/gm)].map(([, name = '', from]) => {
    t.is(from, name)
    return name
  })
  // The addresses of the stores are those of the containers in compose.yaml, and each service names its process.
  const fixed = ['DATABASE_URL', 'REDIS_URL', 'MILLRACE_PROCESS']
  for (const name of fixed) t.regex(compose ?? '', new RegExp(`^ +${name}: `, 'm'))
  t.deepEqual([...passed, ...given.filter(name => name !== 'NODE_ENV'), ...fixed].toSorted(), known.toSorted())
  // Every variable that is unset has its default.
  const config = loadConfig({ ...Object.fromEntries(passed.map(name => [name, ''])) })
  t.deepEqual(config, loadConfig({}))
})

longTest('every process starts from the files of the image and the packages of production alone', async t => {
  const image = await temporaryFolder()
  for (const source of copiedBy(stages.at(-1) ?? ''))
    await cp(join(ROOT, source), join(image, source), { recursive: true })
  const { packages } = await json('package-lock.json')
  for (const [path, { dev, optional }] of Object.entries<{ dev?: boolean; optional?: boolean }>(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || optional) continue
    await mkdir(join(image, dirname(path)), { recursive: true })
    await symlink(join(ROOT, path), join(image, path))
  }
  for (const [name, [, script = '', ...args]] of commands()) {
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>(resolve =>
      execFile(
        process.execPath,
        // The packages are used as if they were in the image, so a package that production lacks is not found.
        ['--preserve-symlinks', '--preserve-symlinks-main', script, ...args],
        { cwd: image, env: { PORT: '0', ADMIN_PORT: '0' }, timeout: 30_000 },
        (error, _, stderr) => resolve({ code: error?.code, stderr }),
      ),
    )
    t.is(code, 1, name)
    t.regex(stderr, /(DATABASE|REDIS)_URL/, `${name}: ${stderr}`)
    t.is(stderr.trim().split('\n').length, 1, `${name}: ${stderr}`)
  }
})

test('what the operators’ pages link to and name is there', async t => {
  const files = await Array.fromAsync(glob('{lib,server,workers}/**/*.ts', { cwd: ROOT }))
  const code = (await Promise.all(files.map(text))).join('')
  const alerts = (await readdir(join(ROOT, 'docs/alerts'))).map(name => `docs/alerts/${name}`)
  for (const page of ['docs/run.md', 'docs/operations.md', 'docs/scaling.md', ...alerts]) {
    const words = await text(page)
    for (const [, target = ''] of words.matchAll(/\]\((?!http)([^)#]+)/g))
      await t.notThrowsAsync(text(join(dirname(page), target)), `${page}: ${target}`)
    for (const [file] of words.matchAll(/\b(?:test|bench|sql|bin)\/[\w./-]+\w/g))
      await t.notThrowsAsync(text(file), `${page}: ${file}`)
    for (const [metric] of words.matchAll(/\bmillrace_\w+/g)) t.true(code.includes(metric), `${page}: ${metric}`)
  }
})
