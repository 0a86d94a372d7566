/** The message of a test about statements that are not as they were recorded. */
import { type Hashes, hashOf, nameOf, type Statement } from './recorded.ts'

/** How many senders are shown with a text. The others are named only. */
const SHOWN_MAX = 8

/**
 * Names by sender the statements that changed, are new, are not sent any more, or have another number. Then shows for each sender one text:
 * the changed lines if the text is recorded, else the whole first text.
 * @param texts the recorded texts of some statements, by name
 */
export function changesOf(recorded: Hashes, texts: ReadonlyMap<string, string>, sent: readonly Statement[]): string {
  const known = new Set([...recorded.values()].flat())
  const fresh = Map.groupBy(
    sent.filter(each => !known.has(hashOf(each))),
    ({ sender }) => sender,
  )
  const shown = [...fresh.values()].flatMap(of => {
    const each = of.find(one => texts.has(nameOf(one))) ?? of[0]
    if (each === undefined) return []
    const before = texts.get(nameOf(each))
    return [`${nameOf(each)}\n${before === undefined ? each.text : changedLines(before, each.text)}`]
  })
  const left = shown.length > SHOWN_MAX ? [`... and ${shown.length - SHOWN_MAX} senders more`] : []
  return [namesOf(recorded, sent).join('\n'), ...shown.slice(0, SHOWN_MAX), ...left].join('\n\n')
}

function namesOf(recorded: Hashes, sent: readonly Statement[]): readonly string[] {
  const known = new Set([...recorded.values()].flat())
  const now = new Set(sent.map(hashOf))
  const bySender = Map.groupBy(sent, ({ sender }) => sender)
  return [...new Set([...recorded.keys(), ...bySender.keys()])].flatMap(sender => {
    const [before, after] = [recorded.get(sender) ?? [], (bySender.get(sender) ?? []).map(hashOf)]
    const gone = numbersOf(before, hash => !now.has(hash))
    const fresh = numbersOf(after, hash => !known.has(hash))
    const isSame = gone.length + fresh.length === 0
    const told: [number[], string][] = [
      [gone.slice(0, fresh.length), 'changed'],
      [fresh.slice(gone.length), 'new'],
      [gone.slice(fresh.length), 'not sent any more'],
      [isSame ? numbersOf(after, (hash, at) => hash !== before[at]) : [], 'stood elsewhere'],
    ]
    return told.filter(([of]) => of.length > 0).map(([of, what]) => `${sender} ${of.join(', ')} ${what}`)
  })
}

const numbersOf = (hashes: readonly string[], isOne: (hash: string, at: number) => boolean): number[] =>
  hashes.flatMap((hash, at) => (isOne(hash, at) ? [at + 1] : []))

/** Lines that only one of the texts has. */
function changedLines(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  return [
    ...old.filter(line => !fresh.includes(line)).map(line => `- ${line}`),
    ...fresh.filter(line => !old.includes(line)).map(line => `+ ${line}`),
  ].join('\n')
}
