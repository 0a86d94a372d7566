/** Tables for a terminal: columns as wide as what stands in them, no lines to draw. */

/** Rows of texts under their headings; null shows as `-`. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = [headings, ...rows.map(row => row.map(cell => String(cell ?? '-').replace(/\p{Cc}/gu, '?')))]
  const widths = headings.map((_, column) => Math.max(...cells.map(row => (row[column] ?? '').length)))
  return cells
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `2026-11-21 05:00` of a timestamp; null stays. */
export function minute(timestamp: string | null): string | null {
  return timestamp === null ? null : timestamp.slice(0, 16).replace('T', ' ')
}
