/**
 * Owns which statements are recorded with their text, for a reviewer to read: a file for each tag of the reference under `golden/` with its
 * lists, and one with all that a command sends. All others are recorded by their hashes alone (recorded.ts).
 */
import { collected, type Resource } from '../../../lib/kit/documents/resources.ts'
import { list } from '../../../lib/nouns.ts'
import { type Statement, shown } from './recorded.ts'

/** The command loads and updates a sales order; this adds one. Records of other nouns differ in their columns only. */
const ADDS_ORDER = /^insert into "sales_order(?:s|_items|_charges)" /

const HEAD = '-- Written by `npm run statements`. `$` is the next parameter.\n'

/** The text of each file by the file's name. */
export function goldensOf(statements: readonly Statement[]): ReadonlyMap<string, string> {
  const byTag = Map.groupBy(
    list.map(entry => collected([entry])),
    ({ endpoints: [first] }) => first?.tag[0] ?? '',
  )
  const command = statements.find(({ text }) => text === 'begin')?.sender
  const chosen: [string, Statement[]][] = [
    ['command.sql', statements.filter(({ sender, text }) => sender === command || ADDS_ORDER.test(text))],
    ...[...byTag].map(([tag, nouns]): [string, Statement[]] => [
      `${tag.toLowerCase().replaceAll(/\W+/g, '-')}.sql`,
      statements.filter(each => nouns.some(noun => isGoldenOf(noun, each))),
    ]),
  ]
  return new Map(chosen.filter(([, of]) => of.length > 0).map(([file, of]) => [file, `${HEAD}\n${shown(of)}`]))
}

/**
 * The first page of each list of documents, without filters; of a document with two lists, of the list over all. What is no document's is
 * written by hand (shortages, the books, requests), and is read in the code.
 */
function isGoldenOf({ documents, endpoints }: Resource, { sender, number }: Statement): boolean {
  const lists = new Map(endpoints.filter(({ kind }) => kind === 'list').map(({ reply, id }) => [reply, id]))
  return documents.length > 0 && number === 1 && [...lists.values()].includes(sender)
}
