/** Finds the lines of the file that a refusal of a document names. Pure: no I/O and no clock. */
import type { CellFault } from './rows.ts'

/**
 * The faults of each line of the document, by its index, from a message like `items[3].unit_cost: must be 0 or more`, in the words of the
 * file's columns. Empty where the message names no line. A message may name several, joined by `; `, and say how many more there are.
 */
export function lineFaults(
  message: string,
  { list, columns }: { readonly list: string; readonly columns: Readonly<Record<string, string>> },
): Map<number, CellFault[]> {
  const faults = new Map<number, CellFault[]>()
  for (const part of message.replace(/; and \d+ more$/, '').split(new RegExp(`; (?=${list}\\[)`))) {
    const [, index, field, reason] = new RegExp(`^${list}\\[(\\d+)\\](?:\\.(\\w+))?: (.*)$`, 's').exec(part) ?? []
    if (index === undefined || reason === undefined) continue
    const fault = { column: field === undefined ? null : (columns[field] ?? field), reason }
    faults.set(Number(index), [...(faults.get(Number(index)) ?? []), fault])
  }
  return faults
}
