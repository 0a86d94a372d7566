/**
 * Owns the passages of statements. The statements of a list with each of its filters resemble each other: lines that always stand
 * together are written once, under a number.
 */

/** Shorter passages are written where they stand. */
const LENGTH_MIN = 80

type Lines = readonly string[]
export type Shortened = { readonly passages: readonly string[]; readonly texts: readonly string[] }

/**
 * Puts references for passages into the texts: `[1]`, on a line of its own, with the margin of its passage.
 * @returns the texts, and the passages in the order of their numbers.
 */
export function shorten(texts: readonly string[]): Shortened {
  const statements = texts.map(text => text.split('\n'))
  const parts = partsOf(statements)
  const times = Map.groupBy(parts.flat().map(withoutMargin), part => part)
  const numbers = new Map<string, number>()
  const shortened = parts.map(of =>
    of.flatMap(lines => {
      const part = withoutMargin(lines)
      if (part.length < LENGTH_MIN || times.get(part)?.length === 1) return lines
      const number = numbers.get(part) ?? numbers.size + 1
      numbers.set(part, number)
      return [`${' '.repeat(marginOf(lines))}[${number}]`]
    }),
  )
  return { passages: [...numbers.keys()], texts: shortened.map(lines => lines.join('\n')) }
}

/** The opposite of `shorten`. */
export const lengthen = ({ passages, texts }: Shortened): readonly string[] =>
  texts.map(text =>
    text.replaceAll(/^( *)\[(\d+)\]$/gm, (_, margin: string, number: string) =>
      (passages[Number(number) - 1] ?? '').replaceAll(/^/gm, margin),
    ),
  )

/** Cuts statements between lines that do not stand together in all of them. */
function partsOf(statements: readonly Lines[]): readonly (readonly Lines[])[] {
  const named = statements.map(linesByName)
  const following = new Map<string, Set<string>>()
  const leading = new Map<string, Set<string>>()
  const note = (of: Map<string, Set<string>>, line: string, other: string) =>
    of.set(line, (of.get(line) ?? new Set()).add(other))
  for (const names of named)
    for (const [at, name] of names.entries()) {
      note(following, name, names[at + 1] ?? '')
      note(leading, name, names[at - 1] ?? '')
    }
  return statements.map((lines, of) => {
    const names = named[of] ?? []
    const parts: string[][] = []
    for (const [at, line] of lines.entries()) {
      const isTogether = following.get(names[at - 1] ?? '')?.size === 1 && leading.get(names[at] ?? '')?.size === 1
      if (!isTogether) parts.push([])
      parts.at(-1)?.push(line)
    }
    return parts
  })
}

/** Names for lines: the text without margin, and which of the lines with this text it is. So a passage may hold the same line twice. */
function linesByName(lines: Lines): Lines {
  const times = new Map<string, number>()
  return lines.map(line => {
    const text = line.trimStart()
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    return `${time} ${text}`
  })
}

const marginOf = (lines: Lines): number => Math.min(...lines.map(line => line.length - line.trimStart().length))

function withoutMargin(lines: Lines): string {
  const margin = marginOf(lines)
  return lines.map(line => line.slice(margin)).join('\n')
}
