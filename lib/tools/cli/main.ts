/**
 * Runs one command line: finds the command, parses its options, prints its output, and returns an exit status. Each command has its own
 * file.
 */

import { parseArgs } from 'node:util'
import { ConfigError } from '../../platform/config-error.ts'
import { VERSION } from '../../platform/version.ts'
import { audited, operatorOf } from './audit.ts'
import { type CliCommand, type Input, type Output, Refused, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { explain } from './explain.ts'
import { commandHelp, listHelp, nameOf, usage } from './help.ts'
import type { ProgressLine } from './progress.ts'
import { openWorld } from './world.ts'

export type Terminal = {
  readonly env: NodeJS.ProcessEnv
  readonly root: string
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Where progress is drawn; absent: nowhere. */
  readonly progress?: ProgressLine
}

/** @returns the exit status: 0 done, 1 refused, 2 wrong command line */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const command = commands.find(({ words }) => words.every((word, at) => args[at] === word))
  if (command === undefined) return withoutCommand(args, terminal)
  return runCommand(command, args.slice(command.words.length), terminal)
}

/** Runs one command with the arguments after its words. */
export async function runCommand(command: CliCommand, args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  let json = false
  try {
    const parsed = parse(command, args)
    if (parsed.help) {
      terminal.out(commandHelp(command))
      return 0
    }
    json = parsed.json
    return await run(command, parsed, terminal)
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`millrace ${nameOf(command)}: ${error.message}`)
      terminal.err(`usage: ${usage(command)}`)
      return 2
    }
    if (json && error instanceof ConfigError && command.jsonOfFault) {
      terminal.out(JSON.stringify(command.jsonOfFault(error)))
      return 1
    }
    const reasons =
      error instanceof ConfigError ? error.faults : [error instanceof Refused ? error.message : explain(error)]
    for (const reason of reasons) terminal.err(`millrace ${nameOf(command)}: ${reason}`)
    return 1
  }
}

async function run(command: CliCommand, { input, json, by }: Parsed, terminal: Terminal): Promise<0 | 1> {
  const print = (part: Pick<Output, 'json' | 'text'>) => terminal.out(json ? JSON.stringify(part.json) : part.text)
  const { world, close } = openWorld({
    env: terminal.env,
    root: terminal.root,
    print,
    progress: terminal.progress ?? { show: () => {}, end: () => {} },
    warn: text => terminal.err(`millrace ${nameOf(command)}: ${text}`),
  })
  try {
    const operator = operatorOf(by ?? terminal.env['MILLRACE_OPERATOR'])
    const output = await audited(command, { input, world, operator })
    if (!command.speaksProtocol) print(output)
    return output.exitCode ?? 0
  } finally {
    await close()
  }
}

/** Asking for help or the version succeeds; anything else here is a wrong command line. */
function withoutCommand(args: readonly string[], terminal: Terminal): 0 | 2 {
  if (args.includes('--version') && args.every(word => word === '--version' || word === '--json')) {
    terminal.out(args.includes('--json') ? JSON.stringify({ version: VERSION }) : `millrace ${VERSION}`)
    return 0
  }
  const words = args.filter(word => !word.startsWith('-') && word !== 'help')
  const noun = commands.some(command => command.words[0] === words[0]) ? words[0] : undefined
  const isHelp = args.includes('--help') || args.includes('-h') || args[0] === 'help'
  if (isHelp && (words.length === 0 || noun !== undefined)) {
    const named = commands.find(command => nameOf(command) === words.join(' '))
    terminal.out(named ? commandHelp(named) : listHelp(commands, noun))
    return 0
  }
  if (args.join(' ') !== (noun ?? '')) terminal.err(`millrace: ${args.join(' ')}: no such command\n`)
  terminal.err(listHelp(commands, noun))
  return 2
}

type Parsed = {
  readonly input: Input
  readonly json: boolean
  readonly help: boolean
  /** The name that the operator gave. */
  readonly by?: string | undefined
}

/** @throws UsageError naming what is wrong with the options */
function parse(command: CliCommand, args: readonly string[]): Parsed {
  const { values, positionals } = parseStrictly(command, args)
  const { json, help, ...named }: Record<string, string | boolean | undefined> = values
  const { by, ...others } = named
  // A command that changes nothing may have an option of this name itself.
  const given = command.changes ? others : named
  if (help) return { input: { argument: '', options: {} }, json: false, help: true }
  const missing = Object.entries(command.options).find(([name, option]) => option.required && given[name] === undefined)
  if (missing) throw new UsageError(`--${missing[0]} is required`)
  if (command.argument && !command.argument.optional && positionals.length === 0)
    throw new UsageError(`${command.argument.name} is required`)
  const tooMany = positionals[command.argument ? 1 : 0]
  if (tooMany !== undefined) throw new UsageError(`${tooMany}: one argument too many`)
  const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  return {
    input: { argument: positionals[0] ?? '', options },
    json: json === true,
    help: false,
    by: by === undefined || !command.changes ? undefined : String(by),
  }
}

function parseStrictly(command: CliCommand, args: readonly string[]) {
  const declared = Object.entries(command.options).map(
    ([name, option]) => [name, { type: option.value === undefined ? 'boolean' : 'string' } as const] as const,
  )
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(declared),
        ...(command.speaksProtocol ? {} : { json: { type: 'boolean' } }),
        ...(command.changes ? { by: { type: 'string' } } : {}),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    // Node's first sentence says what is wrong. The rest is about Node's own conventions.
    if (error instanceof TypeError) throw new UsageError((error.message.split('. ')[0] ?? '').replaceAll('\n', ' '))
    throw error
  }
}
