/**
 * Owns which test files share a process, a database and a service in `npm test`: those of one folder (an area) that declare their tests
 * by `testsOf` (support/suite.ts). A file that takes AVA itself stands apart, in a process of its own: it looks at a whole database,
 * damages records, moves clocks, kills or freezes something, or starts a service with settings of its own.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { atLength } from './at-length.ts'
import { shuffled } from './support/shuffled.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Not in the repository: a file for AVA that runs an area. */
const ENTRIES = '.areas'

const isShared = (file: string): boolean =>
  readFileSync(`${HERE}${file}.test.ts`, 'utf8').includes('testsOf(import.meta)')

/** The files of each area; a file that stands apart is an area of its own. */
function areas(): ReadonlyMap<string, readonly string[]> {
  const files = globSync('*/**/*.test.ts', { cwd: HERE, exclude: name => name === ENTRIES })
    .map(file => file.replaceAll('\\', '/').replace(/\.test\.ts$/, ''))
    .filter(file => !file.startsWith(ENTRIES) && !atLength.includes(file))
    .sort()
  return Map.groupBy(files, file => (isShared(file) ? (file.split('/')[0] ?? file) : file))
}

/** Writes a file for AVA that runs each area; @returns AVA's patterns, in the order of the seed. */
export function areaFiles(seed: string | undefined): string[] {
  rmSync(`${HERE}${ENTRIES}`, { recursive: true, force: true })
  mkdirSync(`${HERE}${ENTRIES}`)
  const patterns = [...areas()].map(([area, files]) => {
    if (area.includes('/')) return `test/${area}.test.ts`
    const urls = files.map(file => `  new URL('../${file}.test.ts', import.meta.url),\n`)
    const text = `import { runArea } from '../support/suite.ts'\n\nawait runArea([\n${urls.join('')}])\n`
    writeFileSync(`${HERE}${ENTRIES}/${area}.test.ts`, text)
    return `test/${ENTRIES}/${area}.test.ts`
  })
  return shuffled(patterns, seed)
}
