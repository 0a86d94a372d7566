/** Owns what a test says of statements that are not as they were recorded. */
import type { Recorded } from './recorded.ts'

/** Lines that are shown before and after those that changed. */
const AROUND = 3
/** Changes that are shown. */
const SHOWN_MAX = 10
/** Statements with the same change that are named. */
const NAMED_MAX = 5

/** Of one statement: its lines, each behind `-`, `+`, or a space where it stays. */
type Change = { readonly name: string; readonly what: string; readonly lines: readonly string[] }

/**
 * A text for each change: of statements with other lines than before, of new ones, of those that are not sent any more, or of a
 * statement that stands elsewhere. Where several statements have the same change it is shown once. None when nothing changed.
 */
export function changesOf(recorded: readonly Recorded[], sent: readonly Recorded[]): readonly string[] {
  const [gone, fresh] = [without(recorded, sent), without(sent, recorded)]
  const changes = [...new Set([...gone.keys(), ...fresh.keys()])].flatMap(sender => {
    const [before, after] = [gone.get(sender) ?? [], fresh.get(sender) ?? []]
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => changeOf(before[at], after[at]))
  })
  const alike = [...Map.groupBy(changes, whatOf).values()]
  const shown = alike.slice(0, SHOWN_MAX).map(told)
  if (alike.length > SHOWN_MAX) return [...shown, `... and ${alike.length - SHOWN_MAX} more changes`]
  const moved = changes.length === 0 && sent.find((each, at) => !isSame(each, recorded[at]))
  return moved ? [`${nameOf(moved)} stands elsewhere, or has another number\n${moved.text}`] : shown
}

/** By sender those whose texts are not among the others. */
function without(statements: readonly Recorded[], others: readonly Recorded[]): Map<string, Recorded[]> {
  const known = new Set(others.map(({ text }) => text))
  const unknown = statements.filter(({ text }) => !known.has(text))
  return Map.groupBy(unknown, ({ sender }) => sender)
}

const isSame = (one: Recorded, other: Recorded | undefined): boolean =>
  one.sender === other?.sender && one.number === other.number && one.text === other.text
const nameOf = ({ sender, number }: Recorded): string => `${sender} ${number}`

function changeOf(before: Recorded | undefined, after: Recorded | undefined): Change {
  const lines = linesOf(before?.text.split('\n') ?? [], after?.text.split('\n') ?? [])
  if (before !== undefined)
    return { name: nameOf(before), what: after === undefined ? 'is not sent any more' : 'changed', lines }
  return { name: after === undefined ? '' : nameOf(after), what: 'is new', lines }
}

/** The lines of both; as many as possible are taken as shared. */
function linesOf(before: readonly string[], after: readonly string[]): readonly string[] {
  /** How many lines the rests share, from a line of the one and a line of the other on. */
  const shared = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  const sharedFrom = (one: number, other: number): number => shared[one]?.[other] ?? 0
  for (let one = before.length - 1; one >= 0; one--)
    for (let other = after.length - 1; other >= 0; other--) {
      const isShared = before[one] === after[other]
      const most = Math.max(sharedFrom(one + 1, other), sharedFrom(one, other + 1))
      shared[one]?.splice(other, 1, isShared ? sharedFrom(one + 1, other + 1) + 1 : most)
    }
  const lines: string[] = []
  let [one, other] = [0, 0]
  while (one < before.length || other < after.length) {
    if (one < before.length && before[one] === after[other]) {
      lines.push(`  ${before[one++]}`)
      other++
    } else if (
      other === after.length ||
      (one < before.length && sharedFrom(one + 1, other) >= sharedFrom(one, other + 1))
    )
      lines.push(`- ${before[one++]}`)
    else lines.push(`+ ${after[other++]}`)
  }
  return lines
}

const stays = (line: string): boolean => line.startsWith(' ')
/** A key that statements with the same change share, whatever the margin and the number of times. */
const whatOf = ({ what, lines }: Change): string =>
  [what, ...new Set(lines.filter(line => !stays(line)).map(line => line.replace(/ +/, ' ')))].join('\n')

/** The text for statements with the same change: that of the first, and the names of the others. */
function told(changes: readonly Change[]): string {
  const [first, ...others] = changes
  if (first === undefined) return ''
  const names = others.slice(0, NAMED_MAX).map(({ name }) => name)
  const more = others.length - names.length
  const also = others.length === 0 ? '' : `, and so ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [`${first.name} ${first.what}${also}`, ...shownOf(first.lines)].join('\n')
}

/** Changed lines and those around them; dots for the others. */
function shownOf(lines: readonly string[]): readonly string[] {
  const isShown = (at: number) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(line => !stays(line))
  return lines.flatMap((line, at) => (isShown(at) ? [line] : at === 0 || isShown(at - 1) ? ['  ...'] : []))
}
