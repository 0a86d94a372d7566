/** Tables for a terminal: columns as wide as their texts, without ruled lines. */

/** Rows of texts with headings; null shows as `-`. */
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

/** `2026-11-21 05:00` from a timestamp; null stays null. */
export function minute(timestamp: string | null): string | null {
  return timestamp === null ? null : timestamp.slice(0, 16).replace('T', ' ')
}
