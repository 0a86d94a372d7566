/** Reads CSV (RFC 4180) piece by piece: records with the line on which each begins. */

/** The file is no CSV from this line on. */
export class CsvError extends Error {
  override name = 'CsvError'
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

type CsvRecord = {
  /** The first line is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A longer record could not be sent anyway: the body of a request ends at 1 MiB. */
const RECORD_CHARACTERS_MAX = 1_048_576

/** `,`, `;` or a tab: whichever the first line has most of. */
function separatorOf(text: string): string {
  const [firstLine = ''] = text.split(/\r?\n/, 1)
  const count = (separator: string) => firstLine.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

/**
 * The records of a text that comes in pieces. Blank lines are passed over. Quoted cells may hold separators, doubled quotes
 * and line ends.
 * @throws CsvError for a quoted cell that does not end, for text after one, and for a record beyond all bounds.
 */
export async function* csvRecords(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let separator = ''
  let [line, startLine, size] = [1, 1, 0]
  let cell = ''
  let cells: string[] = []
  // `closed`: a quoted cell has just ended, or its quote was the first of a pair.
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let previous = ''

  const endCell = () => {
    cells.push(cell)
    cell = ''
    state = 'start'
  }
  const endRecord = (): CsvRecord | null => {
    const isBlank = cells.length === 0 && cell === '' && state === 'start'
    if (!isBlank) endCell()
    const record = isBlank ? null : { line: startLine, cells }
    cells = []
    size = 0
    return record
  }

  for await (const piece of pieces) {
    if (separator === '' && piece !== '') separator = separatorOf(piece)
    for (const character of piece) {
      if (++size > RECORD_CHARACTERS_MAX) throw new CsvError(startLine, 'the record is too long: is a quote missing?')
      const isLineEnd = character === '\n' && state !== 'quoted'
      const isAfterReturn = character === '\n' && previous === '\r'
      previous = character
      if (state === 'quoted') {
        if (character === '"') state = 'closed'
        else cell += character
        if (character === '\n') line++
      } else if (isLineEnd || character === '\r') {
        // A return ends the record by itself; the line feed that follows it belongs to it.
        if (!isAfterReturn) {
          const record = endRecord()
          if (record !== null) yield record
          line++
        }
        size = 0
        startLine = line
      } else if (character === '"' && state === 'start') state = 'quoted'
      else if (character === '"' && state === 'closed') {
        cell += '"'
        state = 'quoted'
      } else if (character === separator) endCell()
      else if (state === 'closed') throw new CsvError(startLine, 'text follows a quoted cell')
      else {
        cell += character
        state = 'plain'
      }
    }
  }
  if (state === 'quoted') throw new CsvError(startLine, 'a quoted cell does not end')
  const last = endRecord()
  if (last !== null) yield last
}
