/**
 * Reads CSV (RFC 4180): records with the line on which each begins. The command line and the portal read files with it, so it imports nothing
 * and reaches neither files nor pages.
 */

/** The text is no CSV from this line on. */
export class CsvError extends Error {
  override name = 'CsvError'
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

export type CsvRecord = {
  /** On which it begins; the first line is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A longer record could not be sent anyway: the body of a request ends at 1 MiB. */
const RECORD_CHARACTERS_MAX = 1_048_576
/** A separator that the first line names, as spreadsheets write it. Separators that fill the line up belong to it. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?\1*(?=[\r\n]|$)/i

/** `,`, `;` or a tab: whichever the line has most of. */
function separatorOf(line: string): string {
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

export type CsvReader = {
  /** The records that end in this piece of the text. */
  readonly read: (piece: string) => readonly CsvRecord[]
  /** The last record, once all pieces are read. */
  readonly end: () => readonly CsvRecord[]
}

/**
 * Reads a text that comes in pieces. Blank lines, a byte order mark and a first line like `sep=;` are passed over. Quoted cells may hold
 * separators, doubled quotes and line ends. Both functions throw CsvError for a quoted cell that does not end, for text after one, and for a
 * record beyond all bounds.
 */
export function csvReader(): CsvReader {
  // The separator is known once the first line is whole.
  let head: string | null = ''
  let separator = ''
  let [line, startLine, size] = [1, 1, 0]
  let cell = ''
  let cells: string[] = []
  // `closed`: a quoted cell has just ended, or its quote was the first of a pair.
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let previous = ''
  let records: CsvRecord[] = []

  const endCell = () => {
    cells.push(cell)
    cell = ''
    state = 'start'
  }
  const endRecord = () => {
    const isBlank = cells.length === 0 && cell === '' && state === 'start'
    if (!isBlank) {
      endCell()
      records.push({ line: startLine, cells })
    }
    cells = []
    size = 0
  }
  const readCharacter = (character: string) => {
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
        endRecord()
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
  const readAll = (text: string) => {
    for (const character of text) readCharacter(character)
  }
  const readHead = (text: string) => {
    head = null
    const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
    const named = SEPARATOR_LINE.exec(plain)
    separator = named?.[1] ?? separatorOf(/^[^\r\n]*/.exec(plain)?.[0] ?? '')
    readAll(plain.slice(named?.[0].length ?? 0))
  }
  const take = () => {
    const taken = records
    records = []
    return taken
  }

  return {
    read: piece => {
      if (head === null) readAll(piece)
      else {
        head += piece
        if (/[\r\n]/.test(piece) || head.length > RECORD_CHARACTERS_MAX) readHead(head)
      }
      return take()
    },
    end: () => {
      if (head !== null) readHead(head)
      if (state === 'quoted') throw new CsvError(startLine, 'a quoted cell does not end')
      endRecord()
      return take()
    },
  }
}

/** Whether a record says nothing, such as an empty row of a spreadsheet. */
export const isEmptyRow = ({ cells }: CsvRecord): boolean => cells.every(cell => cell.trim() === '')

/** The cells without empty ones behind `width`; with 0, without all empty last ones. Spreadsheets write columns that they only formatted. */
export function withoutEmptyLast(cells: readonly string[], width = 0): readonly string[] {
  const last = cells.findLastIndex(cell => cell.trim() !== '')
  return cells.slice(0, Math.max(last + 1, Math.min(width, cells.length)))
}
