/**
 * What a command of the command line is: one value states its words, options, help and code. Parsing, help and exit codes derive from it. A
 * command must not print or exit itself.
 */

import type { Config } from '../../platform/config.ts'
import type { ConfigError } from '../../platform/config-error.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import type { ProgressLine } from './progress.ts'

export type Option = {
  /** The name of the value in the help (`N`); absent: the option is a switch. */
  readonly value?: string
  readonly help: string
  readonly required?: true
}

export type CliCommand = {
  /** The program before its options. Default: `bin/millrace` and its words. */
  readonly program?: string
  /** `['key', 'issue']` */
  readonly words: readonly string[]
  readonly summary: string
  readonly argument?: { readonly name: string; readonly help: string; readonly optional?: true }
  readonly options: Readonly<Record<string, Option>>
  /** Lines of the help between options and examples. */
  readonly details?: readonly string[]
  /** Command lines without `bin/millrace`. */
  readonly examples: readonly string[]
  /** Its standard output carries a protocol: nothing else is printed there, and it has no `--json`. */
  readonly speaksProtocol?: true
  /** Set for a command that changes something: its rows in the audit trail (audit.ts). */
  readonly changes?: Changes
  readonly run: (input: Input, world: World) => Promise<Output>
  /** What `--json` prints where a setting is wrong and there is no world; absent: only the line for people. */
  readonly jsonOfFault?: (error: ConfigError) => Output['json']
}

/** What a command changes. `{}`: the installation, and its answer says everything. */
export type Changes = {
  /** Whether a call with this input changes anything; absent: always. */
  readonly when?: (input: Input) => boolean
  /** The tenant concerned; absent or null: the installation. */
  readonly tenant?: (input: Input, world: World) => Promise<string | null>
  /** The changed state as JSON, read before and after. Absent: the command's answer, without secrets. */
  readonly state?: (input: Input, world: World) => Promise<unknown>
  /** The tenants that it made, each with the state for its trail. The installation is included where its trail also has the end. */
  readonly made?: (output: Output) => readonly { readonly tenantId: string; readonly state: unknown }[]
}

/** The typed texts. The readers of values.ts turn them into values. */
export type Input = {
  /** Empty without an argument. */
  readonly argument: string
  readonly options: Readonly<Record<string, string | undefined>>
}

export type Output = {
  /** What `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>
  /** The text for people, without the last line end. */
  readonly text: string
  /** Default 0; 1 where the answer itself reports a fault (reconcile). */
  readonly exitCode?: 0 | 1
}

export type WorldCell = { readonly name: string; readonly databaseUrl: string; readonly pool: () => Promise<Pool> }

/** What a command may use besides its input. Everything opened is closed when the command ends. */
export type World = {
  readonly config: Config
  /** The data folder of the service that `npm start` runs here. */
  readonly dataFolder: string
  /** @throws Refused when neither DATABASE_URL is set nor the service runs here */
  readonly databaseUrl: () => Promise<string>
  readonly pool: () => Promise<Pool>
  /** The cells of the settings, the main one first; its pool is `pool`. */
  readonly cells: () => Promise<readonly WorldCell[]>
  /** Null without an address for Redis. */
  readonly redis: () => Promise<Redis | null>
  /** The state of `npm start` in the data folder. */
  readonly here: () => Promise<'nothing' | 'starting' | 'running'>
  /** The address of the service that runs here, or null. */
  readonly baseUrl: () => Promise<string | null>
  /** MILLRACE_URL and MILLRACE_TOKEN: the service that a user calls, and their key. */
  readonly caller: { readonly url: string | undefined; readonly token: string | undefined }
  readonly now: Date
  /** Prints a part of the answer before its end (standard output). */
  readonly print: (part: Pick<Output, 'json' | 'text'>) => void
  /** Prints a message for the person at the terminal (standard error). */
  readonly warn: (text: string) => void
  readonly progress: ProgressLine
}

/** The command line itself is wrong: exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command was understood and refused: exit 1. */
export { Refused } from '../refused.ts'
