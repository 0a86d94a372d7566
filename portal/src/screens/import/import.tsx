/** A file of records, taken in row by row. */
export function Import() {
  return null
}
