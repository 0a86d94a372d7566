/** The help texts, derived from the commands' declarations. */
import type { CliCommand, Option } from './command.ts'

const PROGRAM = 'bin/millrace'
const WIDTH = 120

const commonOf = ({ speaksProtocol, changes }: CliCommand): Readonly<Record<string, Option>> => ({
  ...(changes && { by: { value: 'NAME', help: 'who does it, for the audit trail (default MILLRACE_OPERATOR)' } }),
  ...(speaksProtocol ? {} : { json: { help: 'print one JSON object' } }),
  help: { help: 'this help' },
})

/** All commands, or the commands that begin with a noun. */
export function listHelp(commands: readonly CliCommand[], noun?: string): string {
  const shown = commands.filter(command => noun === undefined || command.words[0] === noun)
  const lines = shown.map(command => [nameOf(command), command.summary] as const)
  return [
    noun === undefined ? 'Manages tenants, their API keys and their accounting periods.' : `The commands of ${noun}.`,
    '',
    `Usage: ${PROGRAM} ${noun === undefined ? 'COMMAND' : `${noun} COMMAND`} [OPTIONS]`,
    '',
    ...columns(lines),
    '',
    `${PROGRAM} COMMAND --help tells more of one, ${PROGRAM} --version which release this is. Every command but mcp takes --json.`,
    'It works on DATABASE_URL and REDIS_URL, or on the service that npm start runs here.',
    'Exit status: 0 done, 1 refused (the reason on standard error), 2 wrong command line.',
  ].join('\n')
}

/** One command: usage, options, examples. */
export function commandHelp(command: CliCommand): string {
  const options = Object.entries({ ...command.options, ...commonOf(command) })
  const lines: (readonly [string, string])[] = options.map(([name, option]) => [
    spelled(name, option),
    `${option.help}${option.required ? ' (required)' : ''}`,
  ])
  if (command.argument) lines.unshift([command.argument.name, command.argument.help])
  return [
    `${command.summary}.`,
    '',
    ...wrapped(`Usage: ${usage(command)}`, ''),
    '',
    ...columns(lines),
    '',
    ...(command.details === undefined ? [] : [...command.details, '']),
    command.examples.length === 1 ? 'Example:' : 'Examples:',
    ...command.examples.map(example => `  ${command.program ?? PROGRAM} ${example}`.trimEnd()),
  ].join('\n')
}

/** `bin/millrace key revoke ID [--json]` */
export function usage(command: CliCommand): string {
  const { json } = commonOf(command)
  const options = Object.entries({ ...command.options, json }).flatMap(([name, option]) => {
    if (option === undefined) return []
    return option.required ? [spelled(name, option)] : [`[${spelled(name, option)}]`]
  })
  const program = command.program ?? [PROGRAM, ...command.words].join(' ')
  return [
    program,
    ...(command.argument ? [command.argument.optional ? `[${command.argument.name}]` : command.argument.name] : []),
    ...options,
  ].join(' ')
}

export function nameOf(command: CliCommand): string {
  return command.words.join(' ')
}

function spelled(name: string, option: Option): string {
  return option.value === undefined ? `--${name}` : `--${name} ${option.value}`
}

/** The text in lines for a terminal, each after the indent. */
export function wrapped(text: string, indent: string): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    if (line.length + word.length >= WIDTH && line !== indent) {
      lines.push(line.trimEnd())
      line = indent
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}

function columns(lines: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
