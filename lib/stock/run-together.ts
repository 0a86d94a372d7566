/**
 * Runs commands that make stock documents together: one load for all of them, then each decides in its turn on what those
 * before it left in the book, then one store. It must answer as if they had run one by one, and must not know any document.
 */
import * as v from 'valibot'
import { skipTaken } from '../accounting/skip-taken.ts'
import { refuseTaken, Taken } from '../accounting/taken.ts'
import type { Answer, CommandContext, DomainEvent, Turn } from '../api/endpoint.ts'
import { isRefusal, type Refusal } from '../api/errors.ts'
import type { DocumentKind } from '../store/document-number.ts'
import { type Fragment, jsonParameter, sql } from '../store/postgres.ts'
import { type Book, checkpoint, type Position, positionKey, takeFreshId, totalsOf } from './book.ts'
import type { BookWishes } from './book-wishes.ts'
import type { DocumentSource, DocumentTask } from './document-task.ts'
import { storeTogether } from './ledger.ts'
import { loadBook } from './load-book.ts'
import { stockChanges } from './stock-changed.ts'

/** Bounds the statements of a round: as many positions as two of the largest documents ask for. */
const POSITIONS_MAX = 1_000

/**
 * The answers, in order. Usually one round of two round trips to the database, whatever the number of commands and lines; a
 * command that meets what an earlier one of its round made (a number, an external_ref) waits for the next round.
 */
export async function runTogether(turns: readonly Turn<DocumentTask>[]): Promise<readonly (Answer | Refusal)[]> {
  const answers: (Answer | Refusal)[] = []
  while (answers.length < turns.length) answers.push(...(await runRound(turns.slice(answers.length))))
  return answers
}

/** A command of the round, with the number that its load asks about. */
type Entry = { readonly turn: Turn<DocumentTask>; readonly number: string; readonly wishes: Wishes }
type Wishes = Pick<BookWishes, 'positions' | 'batches' | 'freshIds'>

type Done = { readonly id: string; readonly row: unknown; readonly changes: readonly DomainEvent[] }

/** Answers the first of the turns, at least one unless its counted number turns out to be taken: the next round's is free. */
async function runRound(turns: readonly Turn<DocumentTask>[]): Promise<readonly (Answer | Refusal)[]> {
  const [first] = turns
  if (first === undefined) return []
  const { context } = first
  const round = takeRound(context, turns)
  const { book, also } = await loadBook(context.connection, {
    tenantId: context.tenant.id,
    wishes: union(context, round),
  })
  const found = v.parse(Found, also)
  const numbers = countedNumbers(round, found)
  const used = new Set<string>()
  const decided: (Done | Refusal)[] = []
  for (const [at, entry] of round.entries()) {
    const decision = decide(book, { entry, found: found[at], numbers, used })
    if (decision === 'later') break
    decided.push(decision)
  }
  const answers = await store(context, book, { round, decided })
  const waiting = round[decided.length]?.turn.task
  if (waiting?.number === null && numbers.get(waiting.source.kind)?.length === 0)
    await skipTaken(context, waiting.source.kind)
  return answers
}

/** As many as fit, each counted document with the number that it gets if all before it succeed. */
function takeRound(context: CommandContext, turns: readonly Turn<DocumentTask>[]): Entry[] {
  const counted = new Map<DocumentKind, number>()
  const round: Entry[] = []
  let positions = 0
  for (const turn of turns) {
    const { source, number: given } = turn.task
    const further = counted.get(source.kind) ?? 0
    const number = given ?? context.numbers.peek(source.kind, further)
    const wishes = turn.task.wishes(number)
    positions += wishes.positions.length
    if (round.length > 0 && positions > POSITIONS_MAX) break
    if (given === null) counted.set(source.kind, further + 1)
    round.push({ turn, number, wishes })
  }
  return round
}

const Found = v.array(v.object({ taken: Taken, more: v.unknown() }))
type Found = v.InferOutput<typeof Found>

/** All wishes as one; each command's document takes one more id. */
function union({ tenant }: CommandContext, round: readonly Entry[]): BookWishes {
  return {
    positions: round.flatMap(({ wishes }) => wishes.positions),
    batches: round.flatMap(({ wishes }) => wishes.batches),
    freshIds: round.reduce((sum, { wishes }) => sum + wishes.freshIds + 1, 0),
    also: sql.fragment`(
      select json_agg(found order by turn) from (${sql.join(
        bySource(
          round.map((entry, turn) => ({ entry, turn })),
          ({ entry }) => entry.turn.task.source,
        ).map(([source, entries]) => lookup(tenant.id, source, entries)),
        sql.fragment` union all `,
      )}) answers
    )`,
  }
}

/** By source, in an order of their own: the same kinds give the same statement, which is prepared once. */
function bySource<T>(things: readonly T[], sourceOf: (thing: T) => DocumentSource): [DocumentSource, T[]][] {
  return [...Map.groupBy(things, sourceOf)].sort(([a], [b]) => (a.kind < b.kind ? -1 : 1))
}

function lookup(
  tenantId: string,
  { table, questionColumns, found }: DocumentSource,
  entries: readonly { readonly entry: Entry; readonly turn: number }[],
): Fragment {
  const questions = entries.map(({ entry: { turn: asking, number }, turn }) => ({
    turn,
    number,
    external_ref: asking.task.externalRef,
    ...asking.task.question,
  }))
  const ofTenant = sql.fragment`from ${sql.identifier([table])} where tenant_id = ${tenantId}::bigint`
  const more = questionColumns === undefined ? sql.fragment`` : sql.fragment`, ${questionColumns}`
  return sql.fragment`
    select q.turn, json_build_object(
      'taken', json_build_object(
        'number_taken_by', (select id::text ${ofTenant} and number = q.number),
        'external_ref_taken_by', (select id::text ${ofTenant} and external_ref = q.external_ref)
      ),
      'more', ${found?.(tenantId) ?? sql.fragment`null::json`}
    ) as found
    from jsonb_to_recordset(${jsonParameter(questions)}::jsonb) as q (turn integer, number text, external_ref text${more})`
}

/** Per kind, the counted numbers that the load asked about, in order. */
function countedNumbers(round: readonly Entry[], found: Found): Map<DocumentKind, Counted[]> {
  const numbers = new Map<DocumentKind, Counted[]>()
  for (const [at, { turn, number }] of round.entries()) {
    const { kind } = turn.task.source
    if (turn.task.number !== null) continue
    const taken = (found[at]?.taken.number_taken_by ?? null) !== null
    numbers.set(kind, [...(numbers.get(kind) ?? []), { number, taken }])
  }
  return numbers
}
type Counted = { readonly number: string; readonly taken: boolean }

type Decision = {
  readonly entry: Entry
  readonly found: Found[number] | undefined
  readonly numbers: ReadonlyMap<DocumentKind, Counted[]>
  /** What the round's successes took. */
  readonly used: Set<string>
}

/** `later`: only another load can tell. Then, and after a refusal, the book is as before. */
function decide(book: Book, decision: Decision): Done | Refusal | 'later' {
  const { entry, found, used } = decision
  const { context, task } = entry.turn
  const { kind } = task.source
  if (found === undefined) throw new Error('a command of the round was not looked up')
  const number = task.number ?? nextFree(context, decision)
  if (number === undefined) return 'later'
  const claims = [...(task.claims ?? []), `${kind} ${number}`]
  if (task.externalRef !== null) claims.push(`${kind} ref ${task.externalRef}`)
  if (claims.some(claim => used.has(claim))) return 'later'
  const { taken } = found
  const refused = refuseTaken({ ...taken, number_taken_by: task.number === null ? null : taken.number_taken_by })
  if (refused !== null) return refused
  const positions = positionsOf(book, entry.wishes)
  const undo = checkpoint(book, positions)
  const id = takeFreshId(book)
  const row = task.decide({ book, id, number, found: found.more })
  if (isRefusal(row)) {
    undo()
    return row
  }
  if (task.number === null) useUp(context, decision)
  for (const claim of claims) used.add(claim)
  const changes = stockChanges(book, positions)
  for (const position of positions) position.before = totalsOf(position)
  return { id, row, changes }
}

/** The next counted number that is free; taken ones before it are used up. Undefined: all that were asked about are taken. */
function nextFree({ numbers: counters }: CommandContext, { entry, numbers, used }: Decision): string | undefined {
  const { kind } = entry.turn.task.source
  const counted = numbers.get(kind) ?? []
  while (counted[0] !== undefined && (counted[0].taken || used.has(`${kind} ${counted[0].number}`))) {
    counted.shift()
    counters.take(kind)
  }
  return counted[0]?.number
}

function useUp({ numbers: counters }: CommandContext, { entry, numbers }: Decision): void {
  const { kind } = entry.turn.task.source
  numbers.get(kind)?.shift()
  counters.take(kind)
}

/** Those that the command asked for, once each, in its order. */
function positionsOf(book: Book, { positions }: Wishes): Position[] {
  const keys = positions.map(({ itemVariantId, storagePlaceId: place }) =>
    positionKey({ itemVariantId, storagePlaceId: place === 'main' ? book.mainPlaceId : place }),
  )
  return [...new Set(keys)].flatMap(key => book.positions.get(key) ?? [])
}

/** Writes the successes and tells of them, in their order. */
async function store(
  context: CommandContext,
  book: Book,
  { round, decided }: { readonly round: readonly Entry[]; readonly decided: readonly (Done | Refusal)[] },
): Promise<readonly (Answer | Refusal)[]> {
  const stamp = { tenantId: context.tenant.id, now: context.now }
  const made = decided.flatMap((done, at) => {
    const source = round[at]?.turn.task.source
    return isRefusal(done) || source === undefined ? [] : [{ source, row: done.row }]
  })
  if (made.length === 0) return decided.filter(isRefusal)
  const writes = bySource(made, ({ source }) => source).map(([source, rows]) =>
    source.write(
      stamp,
      rows.map(({ row }) => row),
    ),
  )
  const documents = await storeTogether(context, book, writes)
  return decided.map((done, at) => {
    if (isRefusal(done)) return done
    const turn = round[at]?.turn
    const document = documents.get(done.id)
    if (turn === undefined || document === undefined) throw new Error('a command of the round was not stored')
    for (const event of [...done.changes, ...turn.task.tell(document)]) turn.context.emit(event)
    return { body: document }
  })
}
