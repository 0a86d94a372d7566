/** Screens use the words of the list in `portal/README.md`, and none of those that it excludes. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const PORTAL = fileURLToPath(new URL('../../portal/', import.meta.url))
const read = (path: string) => readFileSync(`${PORTAL}${path}`, 'utf8')

const section = read('README.md').split('## Words')[1]?.split('\n## ')[0] ?? ''
const refused = [...section.matchAll(/^\| .+ \| (.+) \|$/gm)]
  .map(([, not = '']) => not)
  .filter(not => !/^(Not|---)$/.test(not))
  .flatMap(not => not.split(', '))

/** A text of the page is a literal, or is between tags. A single word is excluded as a whole text, several words anywhere in it. */
function found(source: string, word: string): boolean {
  const isPhrase = word.includes(' ')
  const text = isPhrase ? `[^'"\`<>\\n]*${word}[^'"\`<>\\n]*` : `${word}( with)?[ .]?`
  return new RegExp(`(['"\`]|>\\s*)${text}(['"\`]|\\s*<|\\$)`, isPhrase ? 'i' : '').test(source)
}

test('a refused word is found as a label, in a text, and not within another word', t => {
  t.true(
    found(`label="Title"`, 'Title') && found(`column.day('Made', x)`, 'Made') && found('<b>\n  Least\n</b>', 'Least'),
  )
  t.true(found(`whenEmpty="It has given nothing back."`, 'given nothing back'))
  t.false(found(`label="Made on"`, 'Made') || found(`{ title: variantTitle }`, 'Title'))
})

test('no screen says a word that the list refuses', t => {
  t.true(refused.includes('Close short') && refused.includes('Title'))
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: PORTAL })
  t.true(sources.length > 200)
  const faults = sources.flatMap(path =>
    refused.filter(word => found(read(path), word)).map(word => `${path}: ${word}`),
  )
  t.deepEqual(faults, [])
})
