/** How a statement is laid out: white space outside literals means nothing, and each clause and each member of a JSON text gets a line. */

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\s+|\w+|./gs

/** A line begins before these words, and before a literal that begins the next member of a JSON text. */
const BEGINS_LINE =
  /^(?:with|select|from|where|and|or|group|having|order|limit|offset|union|intersect|cross|left|join|insert|update|delete|set|values|returning|using|--.*|',".*)$/is
/** No line begins after these words: `cross join`, `for no key update`, `do update`, `on delete`. */
const CONTINUES = /^(?:cross|left|key|do|on)$/i

/** A longer line ends with its next comma, and a longer part in parentheses gets lines of its own. */
const LENGTH = 120
/** The same limit for a `case`. */
const CASE_LENGTH = 250

/** The lines of a statement. A line is indented by one space for each parenthesis that is open where it begins. */
export function layOut(text: string): string {
  const words = wordsOf(withoutNumbers(text.trim()))
  const lines: string[] = []
  let line = ''
  let indent = 0
  /** For each open parenthesis and `case`: whether its content stays on its line. */
  const open: boolean[] = []
  for (const [at, { text: word, isApart, length }] of words.entries()) {
    const before = words[at - 1]?.text ?? ''
    const isClause = BEGINS_LINE.test(word) && !CONTINUES.test(before) && (isApart || before === '(')
    const isLong = before === ',' && line.length > LENGTH
    if (before.startsWith('--') || (!open.includes(true) && (isClause || isLong))) {
      if (line !== '') lines.push(' '.repeat(indent) + line)
      line = ''
      indent = open.length
    } else if (isApart) line += ' '
    if (ENDS.test(word)) open.pop()
    if (BEGINS.test(word)) open.push(length <= (word === '(' ? LENGTH : CASE_LENGTH))
    line += word
  }
  return [...lines, ' '.repeat(indent) + line].join('\n')
}

const BEGINS = /^(?:\(|case)$/i
const ENDS = /^(?:\)|end)$/i

type Word = {
  readonly text: string
  /** Whether white space that has a meaning comes before the word. */
  readonly isApart: boolean
  /** For a word that begins a part: the length of that part. */
  length: number
}

function wordsOf(text: string): readonly Word[] {
  const words: Word[] = []
  const open: { readonly word: Word; readonly at: number }[] = []
  let at = 0
  let isSpace = false
  for (const token of text.match(TOKEN) ?? []) {
    if (token.trim() === '') {
      isSpace = true
      continue
    }
    const isApart = isSpace && words.at(-1)?.text !== '(' && token !== ')'
    const word = { text: token, isApart, length: 0 }
    words.push(word)
    at += token.length + (isApart ? 1 : 0)
    isSpace = false
    const begun = ENDS.test(token) ? open.pop() : undefined
    if (begun) begun.word.length = at - begun.at
    if (BEGINS.test(token)) open.push({ word, at })
  }
  return words
}

/**
 * Parameters that are numbered in the order of the text and used once each are written without their numbers. A new parameter then does not
 * change the lines after it.
 */
function withoutNumbers(text: string): string {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  return numbers.every((number, at) => number === at + 1) ? text.replaceAll(/\$\d+/g, '$') : text
}
