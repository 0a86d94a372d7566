/** Reads CSV (RFC 4180) from a text, as `bin/millrace import` reads it from a file. */

/** The text is no CSV from this line on. */
export class CsvError extends Error {
  override name = 'CsvError'
  readonly line: number
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}.`)
    this.line = line
  }
}

export type CsvRecord = {
  /** On which it begins; the first line is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** `,`, `;` or a tab: whichever the first line has most of. */
export function separatorOf(text: string): string {
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  const count = (separator: string) => firstLine.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

const LINE_END = /\r\n|\r|\n/y

/**
 * Blank lines are passed over. Quoted cells may hold separators, doubled quotes and line ends.
 * @throws CsvError for a quoted cell that does not end, and for text after one.
 */
export function csvRecords(given: string): readonly CsvRecord[] {
  const text = given.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
  const records: CsvRecord[] = []
  let cells: string[] = []
  let [at, line, startLine] = [0, 1, 1]

  const lineEnd = (): number => {
    LINE_END.lastIndex = at
    return LINE_END.exec(text)?.[0].length ?? 0
  }
  const quoted = (): string => {
    let cell = ''
    for (at++; ; at++) {
      const end = text.indexOf('"', at)
      if (end < 0) throw new CsvError(startLine, 'a quoted cell does not end')
      const part = text.slice(at, end)
      line += part.split('\n').length - 1
      cell += part
      at = end + 1
      if (text[at] !== '"') return cell
      cell += '"'
    }
  }
  const plain = (): string => {
    const from = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
    return text.slice(from, at)
  }
  while (at < text.length) {
    const isQuoted = text[at] === '"'
    const isBlank = cells.length === 0 && lineEnd() > 0
    if (!isBlank) cells.push(isQuoted ? quoted() : plain())
    const end = lineEnd()
    if (text[at] === separator) {
      at++
      // Behind the last separator of a record there is an empty cell.
      if (at === text.length || lineEnd() > 0) cells.push('')
      else continue
    } else if (at < text.length && end === 0) throw new CsvError(startLine, 'text follows a quoted cell')
    at += lineEnd()
    line++
    if (cells.length > 0) records.push({ line: startLine, cells })
    cells = []
    startLine = line
  }
  return records
}
