/**
 * A mutant: one small fault of the source, given as a text to find and its replacement, and the conditions under which `npm run mutants`
 * has a meaning.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLength } from '../at-length.ts'

export type Mutant = {
  readonly name: string
  /** The effect of the fault in plain words. */
  readonly breaks: string
  /** The file's path from the root of the repository. */
  readonly file: string
  /** Exactly once in the file. It is short, so that changes nearby leave it as it is. */
  readonly find: string
  readonly replace: string
  /** Test files, or globs, below `test/` without their ending, the likeliest to notice first. They run in this order. */
  readonly tests: readonly string[]
  /** Only `npm run torture` runs these tests (test/at-length.ts). */
  readonly atLength?: true
}

const ENDING = '.test.ts'

/** The files of the mutant's tests, in order, as paths from the root. */
export const testFilesOf = (root: string, { tests }: Pick<Mutant, 'tests'>): readonly string[] => [
  ...new Set(tests.flatMap(pattern => globSync(`test/${pattern}${ENDING}`, { cwd: root }).sort())),
]

/** The file's text with the mutant's fault. @throws Error unless the file has `find` exactly once. */
export function mutated({ find, replace, file }: Mutant, text: string): string {
  const [before, ...behind] = text.split(find)
  if (behind.length !== 1)
    throw new Error(`${file}: the text to find is there ${behind.length} times, not once:\n  ${find}`)
  return `${before}${replace}${behind[0]}`
}

/** Why the mutants cannot be tried, in words, each with the name of its mutant. */
export function faultsOf(root: string, mutants: readonly Mutant[]): readonly string[] {
  const names = mutants.map(({ name }) => name)
  return mutants.flatMap((mutant, at) =>
    [
      names.indexOf(mutant.name) === at ? null : 'another mutant has this name',
      mutant.find === mutant.replace ? 'it changes nothing' : null,
      whyNotApplied(root, mutant),
      ...mutant.tests.map(pattern => testFault(root, mutant, pattern)),
    ].flatMap(fault => (fault === null ? [] : [`${mutant.name}: ${fault}`])),
  )
}

function whyNotApplied(root: string, mutant: Mutant): string | null {
  try {
    mutated(mutant, readFileSync(join(root, mutant.file), 'utf8'))
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function testFault(root: string, mutant: Mutant, pattern: string): string | null {
  const files = testFilesOf(root, { tests: [pattern] })
  if (files.length === 0) return `no test file is named ${pattern}`
  const others = files.filter(
    file => atLength.includes(file.slice('test/'.length, -ENDING.length)) !== !!mutant.atLength,
  )
  const where = mutant.atLength ? 'npm test' : 'npm run torture'
  return others.length === 0 ? null : `${others.join(', ')} runs in \`${where}\` (atLength)`
}
