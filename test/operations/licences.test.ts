/** The packages that run: their licences let them be passed on, and the list of them is complete. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFile(`${ROOT}${file}`, 'utf8')

/** These licences only require that their text is passed on too. Each package's folder has it. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0']

type Locked = {
  /** The package's name, if the folder has another one. */
  name?: string
  license?: string
  version?: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  link?: boolean
}
const { packages } = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> }
const running = Object.entries(packages).filter(
  ([path, { dev, optional, devOptional, link }]) =>
    path.startsWith('node_modules/') && !dev && !optional && !devOptional && !link,
)

test('every package that runs has a licence that lets it be passed on', t => {
  t.true(running.length > 100)
  for (const [path, { license = 'none' }] of running) {
    const oneOf = license.replaceAll(/[()]/g, '').split(' OR ')
    t.true(
      oneOf.some(name => LICENCES.includes(name)),
      `${path}: ${license}`,
    )
  }
})

test('the image goes out with the licence, and with the list of what it holds', async t => {
  const dockerfile = await read('Dockerfile')
  t.regex(dockerfile, /^COPY .*\bLICENSE\b.* \.\/$/m)
  t.regex(dockerfile, /^COPY --from=packages \/millrace\/sbom\.cdx\.json \.\/$/m)
})

test('npm run sbom lists every package that runs, with version, hash and licence', async t => {
  const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string
    components: { purl: string; licenses?: unknown[]; hashes?: unknown[] }[]
  }
  t.is(bomFormat, 'CycloneDX')
  const listed = new Map(components.map(component => [decodeURIComponent(component.purl), component]))
  const names = running.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
  t.is(listed.size, new Set(names).size)
  for (const name of names) {
    const component = listed.get(`pkg:npm/${name}`)
    t.truthy(component?.licenses?.length, name)
    t.truthy(component?.hashes?.length, name)
  }
})
