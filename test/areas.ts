/**
 * Owns which test files share a process, a database and a service in `npm test`: those of one area that declare their tests by `testsOf`
 * (support/suite.ts). A file that declares them by `apart` has a process of its own.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { atLength } from './at-length.ts'
import { shuffled } from './support/shuffled.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Not in the repository: a file for AVA that runs an area. */
const ENTRIES = '.areas'

/** The folders of each area, the longest area first: it starts first. A folder that is missing here is an area of its own. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  cli: ['cli', 'client', 'embedded', 'docs', 'mutants'],
  portal: ['portal'],
  webhooks: ['webhooks'],
  pipeline: ['pipeline'],
  stock: ['stock'],
  contract: ['contract'],
  documents: ['documents', 'dry-runs'],
  purchasing: ['purchasing', 'manufacturing'],
  sales: ['sales', 'scenarios'],
  operations: ['operations', 'scaling'],
  cells: ['cells', 'store'],
  catalogue: ['catalogue', 'places', 'partners', 'accounting', 'lists', 'planning', 'import', 'demo'],
  access: ['access', 'api'],
  telemetry: ['telemetry', 'mcp'],
}

/** Files that stand apart and take longest: they start before all areas. */
const LONG: readonly string[] = ['failure/attacks', 'operations/game-day']

/** What AVA runs in one process: an area, or a file that stands apart. */
type Process = { readonly area?: string; readonly files: readonly string[] }

/** Writes a file for AVA that runs each area. @returns AVA's patterns, of all tests or of the named areas, in the order of the seed. */
export function areaFiles(seed: string | undefined, areas: readonly string[] = []): string[] {
  rmSync(`${HERE}${ENTRIES}`, { recursive: true, force: true })
  mkdirSync(`${HERE}${ENTRIES}`)
  return shuffled(processes(areas), seed).map(({ area, files }) => {
    if (area === undefined) return `test/${files[0]}.test.ts`
    const urls = files.map(file => `  new URL('../${file}.test.ts', import.meta.url),\n`)
    const text = `import { runArea } from '../support/suite.ts'\n\nawait runArea([\n${urls.join('')}])\n`
    writeFileSync(`${HERE}${ENTRIES}/${area}.test.ts`, text)
    return `test/${ENTRIES}/${area}.test.ts`
  })
}

function processes(areas: readonly string[]): Process[] {
  const files = globSync('*/**/*.test.ts', { cwd: HERE, exclude: name => name === ENTRIES })
    .map(file => file.replaceAll('\\', '/').replace(/\.test\.ts$/, ''))
    .filter(file => !file.startsWith(ENTRIES) && !atLength.includes(file))
    .sort()
  const byArea = Map.groupBy(files, areaOf)
  const known = [...new Set([...Object.keys(FOLDERS), ...byArea.keys()])]
  const unknown = areas.filter(area => !known.includes(area))
  if (unknown.length > 0) throw new Error(`no area ${unknown.join(', ')}: there are ${known.join(', ')}`)
  const chosen = known.filter(area => areas.length === 0 || areas.includes(area))
  const shared = chosen.map(area => ({ area, files: (byArea.get(area) ?? []).filter(isShared) }))
  const apart = chosen.flatMap(area => (byArea.get(area) ?? []).filter(file => !isShared(file)))
  const alone = (files: readonly string[]) => files.map(file => ({ files: [file] }))
  return [
    ...alone(apart.filter(file => LONG.includes(file))),
    ...shared.filter(({ files }) => files.length > 0),
    ...alone(apart.filter(file => !LONG.includes(file))),
  ]
}

function areaOf(file: string): string {
  const folder = file.slice(0, file.indexOf('/'))
  return Object.keys(FOLDERS).find(area => FOLDERS[area]?.includes(folder)) ?? folder
}

const isShared = (file: string): boolean =>
  readFileSync(`${HERE}${file}.test.ts`, 'utf8').includes('testsOf(import.meta')
