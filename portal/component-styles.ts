/** Styles of the components that the portal uses: the library's sheet has those of all its components, three times as much. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const LIBRARY = here('../node_modules/@mantine/core/')
const WHOLE = join(LIBRARY, 'styles.css')
/** What holds for the page, whatever is used. */
const BASE = ['baseline', 'default-css-variables', 'global']

/** In place of `@mantine/core/styles.css`: the same rules in the same order, without components that no source names. */
export const componentStyles = (): Plugin => ({
  name: 'component-styles',
  enforce: 'pre',
  transform: (_, id) => (id.split('?')[0] === WHOLE ? { code: styles(), map: null } : null),
})

function styles(): string {
  const whole = readFileSync(WHOLE, 'utf8')
  const sheets = [...usedSheets()].map(name => readFileSync(join(LIBRARY, 'styles', `${name}.css`), 'utf8'))
  const base = BASE.map(name => readFileSync(join(LIBRARY, 'styles', `${name}.css`), 'utf8'))
  // Later rules win: the order is that of the whole sheet.
  const place = (sheet: string) => whole.indexOf(/\.m_\w+/.exec(sheet)?.[0] ?? '')
  return [...base, ...sheets.toSorted((one, other) => place(one) - place(other))].join('\n')
}

/** The sheets of all components that the sources name, and of those that these are made of. */
function usedSheets(): ReadonlySet<string> {
  const sources = [
    ...globSync(here('src/**/*.{ts,tsx}')),
    ...globSync(here('../node_modules/@mantine/notifications/esm/**/*.mjs')),
  ]
  const names = new Set(sources.flatMap(file => namedIn(readFileSync(file, 'utf8'))))
  const index = readFileSync(join(LIBRARY, 'esm/index.mjs'), 'utf8')
  const found = new Set<string>()
  const seen = new Set<string>()
  const follow = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const sheet = /([^/]+)\.module\.mjs$/.exec(file)?.[1]
    if (sheet !== undefined) found.add(sheet)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
      follow(join(dirname(file), path))
  }
  for (const [, exported = '', path = ''] of index.matchAll(/import \{ ([^}]+) \} from "(\.[^"]+)"/g))
    if (exported.split(', ').some(name => names.has(name))) follow(join(LIBRARY, 'esm', path))
  return found
}

/** Names that a source imports of the library. */
const namedIn = (source: string): readonly string[] =>
  [...source.matchAll(/import \{([^}]+)\} from ['"]@mantine\/core['"]/g)].flatMap(([, names = '']) =>
    names.split(',').map(name => name.replace(/\btype\b/, '').trim()),
  )
