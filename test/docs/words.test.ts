/**
 * How many words the pages have, and that what the code cites of them exists. A word has a letter or a digit, so the pipes and rules of
 * tables are none.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WORDS_MAX = 48_500
const WORDS_OF_PERFORMANCE_MAX = 2_000

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const filesOf = (patterns: readonly string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', '**/.*/**'] })

const wordsOf = (file: string) =>
  read(file)
    .split(/\s+/)
    .filter(word => /[\p{L}\p{N}]/u.test(word)).length

test('all Markdown but the changelog has at most 48,500 words, the page of performance 2,000', t => {
  const pages = filesOf(['**/*.md']).filter(file => file !== 'CHANGELOG.md')
  t.true(pages.length > 40)
  const words = pages.reduce((sum, file) => sum + wordsOf(file), 0)
  t.log(`${words} words`)
  t.true(words <= WORDS_MAX, `${words} words: say what is told twice once, or delete what nobody acts on`)
  t.true(wordsOf('docs/performance.md') <= WORDS_OF_PERFORMANCE_MAX)
})

test('every page and heading that the code cites is there', t => {
  const code = filesOf([
    '{bench,bin,client,imports,lib,portal,server,test,workers}/**/*.{grit,js,lua,ts,tsx,yml}',
    '{docs,sql}/**/*.{sql,yml,yaml}',
    'compose.yaml',
    'Dockerfile',
  ])
  let count = 0
  for (const file of code) {
    // A citation may continue in the next line of a comment.
    const text = read(file).replaceAll(/\n\s*(?:\*|--|\/\/|#)?\s*/g, ' ')
    for (const [, page = '', heading] of text.matchAll(
      /((?:docs\/[\w/-]+|CONTRIBUTING)\.md)(?:,? ["“]([^"”]+)["”])?/g,
    )) {
      count++
      t.true(existsSync(`${ROOT}${page}`), `${file}: ${page}`)
      if (heading === undefined || !existsSync(`${ROOT}${page}`)) continue
      // A heading, or the bold words at the begin of a paragraph.
      const found = [...read(page).matchAll(/^(?:#+ (.*)|\*\*(.*?)\.?\*\*.*)$/gm)].map(([, h, bold]) => h ?? bold)
      t.true(found.includes(heading), `${file}: ${page}, "${heading}"`)
    }
  }
  t.true(count > 100)
})
