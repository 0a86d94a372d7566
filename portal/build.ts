/**
 * Builds the portal into `dist`, compressed, unless what it is made of is what it was made of before. It must cost next to
 * nothing then: every `npm start` and `npm test` runs it.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'portal/dist')
const STATE = 'made-of'
const SOURCES = [
  'portal/src',
  'portal/index.html',
  'portal/vite.config.ts',
  'portal/component-styles.ts',
  'portal/build.ts',
  'portal/package.json',
  'portal/tsconfig.json',
  'client/src',
  'imports',
  'package-lock.json',
]

const state = stateOf(SOURCES)
if (existsSync(join(DIST, STATE)) && readFileSync(join(DIST, STATE), 'utf8') === state) process.exit(0)

const started = performance.now()
console.error('setup: building the portal')
// Else a run of tests, which has its own, would build what only developers are meant to get.
// biome-ignore lint/style/noProcessEnv: it is the bundler that reads it there.
process.env['NODE_ENV'] = 'production'
const { build } = await import('vite')
const made = mkdtempSync(join(ROOT, 'portal/.dist-'))
try {
  await build({ configFile: join(ROOT, 'portal/vite.config.ts'), build: { outDir: made, emptyOutDir: true } })
  const firstLoad = firstLoadOf(made)
  writeFileSync(join(made, STATE), state)
  chmodSync(made, 0o755)
  rmSync(DIST, { recursive: true, force: true })
  try {
    renameSync(made, DIST)
  } catch (error) {
    // Another build came between: it made the same files.
    if (!existsSync(join(DIST, STATE))) throw error
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`setup: the portal is built (${seconds} s); its first load is ${firstLoad} KB gzipped`)
} finally {
  rmSync(made, { recursive: true, force: true })
}

function stateOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths)
    for (const file of filesBelow(join(ROOT, path))) {
      const bytes = readFileSync(file)
      hash.update(`${relative(ROOT, file)} ${bytes.length}\n`).update(bytes)
    }
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesBelow(join(path, name)))
}

/** What the page names itself: scripts that it starts or preloads, and styles. */
function firstLoadOf(folder: string): number {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/portal\/(assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  return Math.round(named.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0) / 1000)
}
