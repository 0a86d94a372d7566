/** Owns the form of the recorded files: a block of lines for each statement, under a comment that names who sends it. */
import { layOut } from './lay-out.ts'
import { lengthen, shorten } from './passages.ts'
import type { Sent } from './sent.ts'

/** A statement as the files show it: its text laid out, and its position among the statements of its sender, from 1. */
export type Recorded = { readonly sender: string; readonly number: number; readonly text: string }

const HEAD = `-- Statements that the service sends. Written by \`npm run statements\`.
-- Each stands once, under the first of its senders in the order of their names. \`$\` is the next parameter. \`[1]\` stands for the passage
-- of this number; the passages of a sender stand before its statements.
`

/** Statements as a file shows them. */
export function recordedAs(sent: readonly Sent[]): readonly Recorded[] {
  const numbers = new Map<string, number>()
  return sent.map(({ sender, text }) => {
    const number = (numbers.get(sender) ?? 0) + 1
    numbers.set(sender, number)
    return { sender, number, text: layOut(text) }
  })
}

export function textOf(statements: readonly Recorded[]): string {
  const blocks = [...Map.groupBy(statements, ({ sender }) => sender)].flatMap(([sender, of]) => {
    const { passages, texts } = shorten(of.map(({ text }) => text))
    return [
      ...passages.map((passage, at) => `-- ${sender} [${at + 1}]\n${passage}\n`),
      ...texts.map((text, at) => `-- ${sender} ${at + 1}\n${text}\n`),
    ]
  })
  return [HEAD, ...blocks].join('\n')
}

/** The opposite of `textOf`. */
export function statementsIn(file: string): readonly Recorded[] {
  const blocks = [...file.matchAll(/^-- (.+) (\[)?(\d+)\]?\n((?:.+\n)+)/gm)].map(
    ([, sender = '', bracket, number, text = '']) => ({
      sender,
      isPassage: bracket !== undefined,
      number: Number(number),
      text: text.trimEnd(),
    }),
  )
  return [...Map.groupBy(blocks, ({ sender }) => sender)].flatMap(([sender, of]) => {
    const textsOf = (isPassage: boolean) => of.filter(each => each.isPassage === isPassage).map(({ text }) => text)
    const texts = lengthen({ passages: textsOf(true), texts: textsOf(false) })
    return texts.map((text, at) => ({ sender, number: at + 1, text }))
  })
}
