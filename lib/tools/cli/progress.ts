/**
 * Draws progress on standard error: one line that is drawn over on a terminal, a line now and then elsewhere. It must not
 * write to standard output, which belongs to the answer.
 */

const BAR_WIDTH = 30
/** On a terminal, and where the lines go to a file or a log. */
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
  /** Shows the text, unless the last one is too young. */
  show(text: string): void
  /** Shows the last text for good. */
  end(text: string): void
}

/** Progress on a stream like `process.stderr`. */
export function progressLine(
  stream: { readonly isTTY?: boolean; write(text: string): unknown },
  clock: () => number = Date.now,
): ProgressLine {
  const isTerminal = stream.isTTY === true
  const gap = isTerminal ? REDRAW_GAP_MS : LINE_GAP_MS
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : clock()
  return {
    show: text => {
      if (clock() - shownAt < gap) return
      shownAt = clock()
      stream.write(isTerminal ? `\r\x1b[2K${text}` : `${text}\n`)
    },
    end: text => void stream.write(isTerminal ? `\r\x1b[2K${text}\n` : `${text}\n`),
  }
}
