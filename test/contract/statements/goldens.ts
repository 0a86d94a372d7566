/**
 * Owns which statements are recorded with their text, for a reviewer to read: a file for each tag of the reference under `golden/`, and
 * one with all that a command sends. All others are recorded by their hashes alone (recorded.ts).
 */
import { collected, type Resource } from '../../../lib/kit/documents/resources.ts'
import { list } from '../../../lib/nouns.ts'
import { type Statement, shown } from './recorded.ts'

const HEAD = '-- Written by `npm run statements`. `$` is the next parameter.\n'

/** The text of each file by the file's name. */
export function goldensOf(statements: readonly Statement[]): ReadonlyMap<string, string> {
  const byTag = Map.groupBy(
    list.map(entry => collected([entry])),
    ({ endpoints: [first] }) => first?.tag[0] ?? '',
  )
  const command = statements.find(({ text }) => text === 'begin')?.sender
  const chosen: [string, Statement[]][] = [
    ['command.sql', statements.filter(({ sender }) => sender === command)],
    ...[...byTag].map(([tag, nouns]): [string, Statement[]] => [
      `${tag.toLowerCase().replaceAll(/\W+/g, '-')}.sql`,
      statements.filter(each => nouns.some(noun => isGoldenOf(noun, each))),
    ]),
  ]
  return new Map(chosen.filter(([, of]) => of.length > 0).map(([file, of]) => [file, `${HEAD}\n${shown(of)}`]))
}

/**
 * The first page of each list without filters; the load of a record and of its lines in a unit of work, and what adds their rows. What is
 * written by hand (the statements of planning, of stock) is read in the code.
 */
function isGoldenOf({ documents, endpoints }: Resource, { sender, number, text }: Statement): boolean {
  if (number === 1 && endpoints.some(({ id, kind }) => kind === 'list' && id === sender)) return true
  return documents
    .flatMap(({ table, lines }) => [
      { table, key: 'id' },
      ...lines.map(({ of }) => ({ table: of.table, key: of.parent })),
    ])
    .some(
      ({ table, key }) =>
        text.startsWith(`insert into "${table}" `) ||
        text.includes(
          `as q (tenant_id, value)\ncross join lateral (select * from "${table}" where tenant_id = q.tenant_id and "${key}" = q.value `,
        ),
    )
}
