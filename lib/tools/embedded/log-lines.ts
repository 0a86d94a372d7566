/** Owns how lines of many processes share one output: each with its process's name, in its kind's colour on a terminal. */

const COLOURS = [36, 33, 32, 35, 34, 96, 93, 92]

export type LogLines = (name: string, line: string) => void

/** A writer of lines as they are, for pipes and files. `names` are all that will write (for the width). */
export function logLines(output: NodeJS.WriteStream, { names }: { names: readonly string[] }): LogLines {
  const prefix = linePrefix(names, { isColoured: false })
  return (name, line) => output.write(`${prefix(name)} ${line}\n`)
}

/** What stands before each line of a process. */
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
