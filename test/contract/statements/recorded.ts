/**
 * How statements are recorded: `hashes.txt` has a line for each sender with a hash for each of its statements. A statement that several
 * senders send is recorded once, under the first sender in the order of their names.
 */
import { createHash } from 'node:crypto'
import { layOut } from './lay-out.ts'
import type { Sent } from './sent.ts'

/** The laid-out text of a statement, and its position among the statements of its sender, from 1. */
export type Statement = { readonly sender: string; readonly number: number; readonly text: string }
/** Hashes by sender. */
export type Hashes = ReadonlyMap<string, readonly string[]>

export const HASHES = new URL('hashes.txt', import.meta.url)
/** The folder of the golden files (goldens.ts). */
export const GOLDEN = new URL('golden/', import.meta.url)

export function numbered(sent: readonly Sent[]): readonly Statement[] {
  const numbers = new Map<string, number>()
  return sent.map(({ sender, text }) => {
    const number = (numbers.get(sender) ?? 0) + 1
    numbers.set(sender, number)
    return { sender, number, text: layOut(text) }
  })
}

export const nameOf = ({ sender, number }: Statement): string => `${sender} ${number}`
export const hashOf = ({ text }: Statement): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The new content of `hashes.txt`. */
export const hashesOf = (statements: readonly Statement[]): string =>
  [...Map.groupBy(statements, ({ sender }) => sender)]
    .map(([sender, of]) => `${sender}: ${of.map(hashOf).join(' ')}\n`)
    .join('')

/** The hashes in the text of `hashes.txt`. */
export const hashesIn = (file: string): Hashes =>
  new Map([...file.matchAll(/^(.+): (.+)$/gm)].map(([, sender = '', hashes = '']) => [sender, hashes.split(' ')]))

/** Statements under their names, as golden files and messages show them. */
export const shown = (statements: readonly Statement[]): string =>
  statements.map(each => `-- ${nameOf(each)}\n${each.text}\n`).join('\n')

/** The reverse of `shown`: the texts by name. */
export const textsIn = (file: string): ReadonlyMap<string, string> =>
  new Map([...file.matchAll(/^-- (.+ \d+)\n((?:.+\n)+)/gm)].map(([, name = '', text = '']) => [name, text.trimEnd()]))
