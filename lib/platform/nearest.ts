/** Finds the name that a misspelt name means. */

/** A shorter name resembles too many others. */
const LENGTH_MIN = 5
/** One wrong letter in a short name, two in a longer one. */
const distanceMax = (name: string): number => (name.length < 14 ? 1 : 2)

/**
 * The known name that differs from the given one by one or two letters, regardless of case. Undefined: there is none, or the name is known.
 */
export function nearestOf(given: string, known: readonly string[]): string | undefined {
  if (given.length < LENGTH_MIN || known.includes(given)) return undefined
  let nearest: string | undefined
  let least = distanceMax(given) + 1
  for (const name of known) {
    const distance = distanceOf(given.toUpperCase(), name.toUpperCase())
    if (distance >= least) continue
    least = distance
    nearest = name
  }
  return nearest
}

/** Letters to add, drop, change or swap with their neighbour until `a` is `b` (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  // A name that is longer by more than two letters cannot be near. So a long text costs no calculation.
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? 0
}
