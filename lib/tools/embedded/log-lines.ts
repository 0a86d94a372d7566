/** Combines the lines of many processes in one output: each with its process's name, on a terminal in its kind's colour. */

const COLOURS = [36, 33, 32, 35, 34, 96, 93, 92]

export type LogLines = (name: string, line: string) => void

/** A writer that leaves lines unchanged, for pipes and files. `names`: all processes that will write (for the width). */
export function logLines(output: NodeJS.WriteStream, { names }: { names: readonly string[] }): LogLines {
  const prefix = linePrefix(names, { isColoured: false })
  return (name, line) => output.write(`${prefix(name)} ${line}\n`)
}

/** The prefix of each line of a process. */
export function linePrefix(
  names: readonly string[],
  { isColoured }: { isColoured: boolean },
): (name: string) => string {
  const width = Math.max(...names.map(name => name.length))
  const kinds = [...new Set(names.map(kindOf))]
  return name => {
    const prefix = `${name.padEnd(width)} |`
    const colour = COLOURS[kinds.indexOf(kindOf(name)) % COLOURS.length]
    return isColoured && colour ? `\u001b[${colour}m${prefix}\u001b[0m` : prefix
  }
}

function kindOf(name: string): string {
  return name.split('.')[0] ?? name
}
