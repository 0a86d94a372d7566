/**
 * Takes a refusal of a document with lines apart: which lines of the file it names. Pure: no I/O and no clock.
 */

/**
 * What a message like `items[3].unit_cost: must be 0 or more` says of each line of the document, by its index, in the words of
 * the file's columns; empty where it names none. A message may name several, joined by `; `, and say how many more there are.
 */
export function lineFaults(
  message: string,
  { list, columns }: { readonly list: string; readonly columns: Readonly<Record<string, string>> },
): Map<number, string> {
  const faults = new Map<number, string>()
  for (const part of message.replace(/; and \d+ more$/, '').split(new RegExp(`; (?=${list}\\[)`))) {
    const [, index, field, reason] = new RegExp(`^${list}\\[(\\d+)\\](?:\\.(\\w+))?: (.*)$`, 's').exec(part) ?? []
    if (index === undefined || reason === undefined) continue
    const words = field === undefined ? reason : `${columns[field] ?? field}: ${reason}`
    const before = faults.get(Number(index))
    faults.set(Number(index), before === undefined ? words : `${before}; ${words}`)
  }
  return faults
}
