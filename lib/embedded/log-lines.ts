/** Owns how lines of many processes share one terminal: each with its process's name, in its kind's colour. */

const COLOURS = [36, 33, 32, 35, 34, 96, 93, 92]

export type LogLines = (name: string, line: string) => void

/** A writer of prefixed lines. `names` are all that will write (for the width); colours only on a terminal. */
export function logLines(
  output: NodeJS.WriteStream,
  options: { names: readonly string[]; isColoured: boolean },
): LogLines {
  const width = Math.max(...options.names.map(name => name.length))
  const kinds = [...new Set(options.names.map(kindOf))]
  return (name, line) => {
    const prefix = `${name.padEnd(width)} |`
    const colour = COLOURS[kinds.indexOf(kindOf(name)) % COLOURS.length]
    output.write(options.isColoured && colour ? `\u001b[${colour}m${prefix}\u001b[0m ${line}\n` : `${prefix} ${line}\n`)
  }
}

function kindOf(name: string): string {
  return name.split('.')[0] ?? name
}
