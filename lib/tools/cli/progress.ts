/**
 * Shows progress on standard error: one line that is redrawn on a terminal, elsewhere a line now and then. It must not write to standard
 * output, which contains the answer.
 */

const BAR_WIDTH = 30
/** The gap on a terminal, and the gap where lines go to a file or a log. */
const REDRAW_GAP_MS = 100
const LINE_GAP_MS = 5_000

/** `[#########---------------------]  30 %  1200 rows` */
export function bar(done: number, total: number, words: string): string {
  const share = total <= 0 ? 1 : Math.min(done / total, 1)
  const filled = Math.round(share * BAR_WIDTH)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${percent} %  ${words}`
}

export type ProgressLine = {
  /** Shows the text at once, or after the gap. Of several texts meanwhile the newest is shown. */
  show(text: string): void
  /** Shows the last text, and leaves it. */
  end(text: string): void
}

type Stream = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

/** Progress on a stream like `process.stderr`. `forget`: drops a text that was not shown yet, because other output follows. */
export function progressLine(
  stream: Stream,
  clock: () => number = Date.now,
): ProgressLine & { readonly forget: () => void } {
  const isTerminal = stream.isTTY === true
  const gap = isTerminal ? REDRAW_GAP_MS : LINE_GAP_MS
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : clock()
  let newest = ''
  let toCome: NodeJS.Timeout | undefined
  const forget = () => {
    clearTimeout(toCome)
    toCome = undefined
  }
  let drawn = ''
  const overLast = (text: string) => {
    const start = lineStart(drawn, stream.columns)
    drawn = text
    return `${start}${text}`
  }
  const draw = () => {
    forget()
    shownAt = clock()
    stream.write(isTerminal ? overLast(newest) : `${newest}\n`)
  }
  return {
    show: text => {
      newest = text
      const waitMs = shownAt + gap - clock()
      if (waitMs <= 0) draw()
      else toCome ??= setTimeout(draw, waitMs).unref()
    },
    end: text => {
      forget()
      stream.write(isTerminal ? `${overLast(text)}\n` : `${text}\n`)
      drawn = ''
    },
    forget,
  }
}

/** Moves a terminal back to the start of a text, which may have several rows, and clears the text. */
function lineStart(text: string, columns = Number.POSITIVE_INFINITY): string {
  const rows = Math.ceil(text.length / columns)
  return rows > 1 ? `\x1b[${rows - 1}A\r\x1b[J` : '\r\x1b[2K'
}
