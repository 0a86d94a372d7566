/**
 * What a command of the command line is: one value states its words, options, help and what runs. Parsing, help and exit
 * codes derive from it; a command must not print or exit by itself.
 */

import type { Config } from '../../platform/config.ts'
import type { ConfigError } from '../../platform/config-error.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import type { Redis } from '../../platform/redis/redis.ts'
import type { ProgressLine } from './progress.ts'

export type Option = {
  /** What stands for the value in the help (`N`); absent: the option is a switch. */
  readonly value?: string
  readonly help: string
  readonly required?: true
}

export type CliCommand = {
  /** What is typed before its options; default: `bin/millrace` and its words. */
  readonly program?: string
  /** `['key', 'issue']` */
  readonly words: readonly string[]
  readonly summary: string
  readonly argument?: { readonly name: string; readonly help: string; readonly optional?: true }
  readonly options: Readonly<Record<string, Option>>
  /** What the help tells between options and examples, line by line. */
  readonly details?: readonly string[]
  /** Command lines without `bin/millrace`. */
  readonly examples: readonly string[]
  /** Its standard output carries a protocol: nothing else is printed there, and it takes no `--json`. */
  readonly speaksProtocol?: true
  /** Where it changes something: how it stands in the audit trail (audit.ts). */
  readonly changes?: Changes
  readonly run: (input: Input, world: World) => Promise<Output>
  /** What `--json` prints where a setting is wrong and there is no world; absent: nothing but the line for people. */
  readonly jsonOfFault?: (error: ConfigError) => Output['json']
}

/** What a command changes. `{}`: the installation, and its answer says all. */
export type Changes = {
  /** Whether a call with this input changes anything; absent: always. */
  readonly when?: (input: Input) => boolean
  /** The tenant whom it concerns; absent, and where there is none: the installation. */
  readonly tenant?: (input: Input, world: World) => Promise<string | null>
  /** What it changes, as JSON: asked before and after. Absent: its answer, without secrets. */
  readonly state?: (input: Input, world: World) => Promise<unknown>
  /** The tenants that it made, each with what its trail says of that; among them the installation, where its trail tells the end too. */
  readonly made?: (output: Output) => readonly { readonly tenantId: string; readonly state: unknown }[]
}

/** What was typed, as text; the readers of values.ts turn it into values. */
export type Input = {
  /** Empty where there is none. */
  readonly argument: string
  readonly options: Readonly<Record<string, string | undefined>>
}

export type Output = {
  /** What `--json` prints. */
  readonly json: Readonly<Record<string, unknown>>
  /** What people read, without the last line's end. */
  readonly text: string
  /** Default 0; 1 where the answer itself is a fault (reconcile). */
  readonly exitCode?: 0 | 1
}

export type WorldCell = { readonly name: string; readonly databaseUrl: string; readonly pool: () => Promise<Pool> }

/** What a command reaches besides its input. What it opens is closed when the command ends. */
export type World = {
  readonly config: Config
  /** Where the service that `npm start` runs here keeps its data. */
  readonly dataFolder: string
  /** @throws Refused when neither DATABASE_URL is set nor the service runs here. */
  readonly databaseUrl: () => Promise<string>
  readonly pool: () => Promise<Pool>
  /** The cells of the settings, the main one first, whose pool is `pool`. */
  readonly cells: () => Promise<readonly WorldCell[]>
  /** Null where there is no address for Redis. */
  readonly redis: () => Promise<Redis | null>
  /** What `npm start` does in the data folder. */
  readonly here: () => Promise<'nothing' | 'starting' | 'running'>
  /** The address of the service that runs here, or null. */
  readonly baseUrl: () => Promise<string | null>
  /** MILLRACE_URL and MILLRACE_TOKEN: the service that a user calls, and their key. */
  readonly caller: { readonly url: string | undefined; readonly token: string | undefined }
  readonly now: Date
  /** Tells a part of the answer before its end (standard output). */
  readonly print: (part: Pick<Output, 'json' | 'text'>) => void
  /** Says something to the person at the terminal (standard error). */
  readonly warn: (text: string) => void
  readonly progress: ProgressLine
}

/** The command line itself is wrong: exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command was understood and refused: exit 1. */
export { Refused } from '../refused.ts'
