/** `audit list`, and the rows that other commands leave in the trail. A command's declaration says what it changes (`changes`). */
import { hostname, userInfo } from 'node:os'
import { INSTALLATION, type ListedAction, listActions, newAction, note, type Operator } from '../audit/trail.ts'
import { withoutSecrets } from './changes.ts'
import { type CliCommand, type Input, type Output, Refused, UsageError, type World } from './command.ts'
import { explain } from './explain.ts'
import { nameOf } from './help.ts'
import { cellOf, poolOf } from './in-cells.ts'
import { table } from './table.ts'
import { optionalTenant, tenantIn } from './tenant-option.ts'
import { moment, optional, whole, withoutPassword } from './values.ts'

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 10_000
/** The most characters of a message, or of a change, in the table. */
const SHOWN_MAX = 100

/** The person at the terminal. @param given the name that they gave */
export function operatorOf(given: string | undefined): Operator {
  return { system: systemUser(), host: hostname(), given: given?.trim() || null }
}

/** The name of the system's user. In a container the user's number may have no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * Runs a command that changes something, and writes a row before and after it. Without the first row the command does not run. A database
 * that was not migrated yet has no trail.
 */
export async function audited(
  command: CliCommand,
  { input, world, operator }: { readonly input: Input; readonly world: World; readonly operator: Operator },
): Promise<Output> {
  const { changes } = command
  if (changes === undefined || changes.when?.(input) === false) return command.run(input, world)
  const action = newAction({
    command: nameOf(command),
    arguments: { ...(input.argument !== '' && { argument: withoutPassword(input.argument) }), ...input.options },
    operator,
  })
  const trail = (tenantId: string) => (tenantId === INSTALLATION ? world.pool() : poolOf(world, tenantId))
  const state = () => changes.state?.(input, world).catch(() => undefined)
  const tenantId = (await changes.tenant?.(input, world)) ?? INSTALLATION
  const begun = await trail(tenantId).catch(error => {
    if (error instanceof Refused) return null
    throw error
  })
  // Without a database the command itself reports the refusal.
  if (begun === null) return command.run(input, world)
  await note(begun, action, { tenantId, phase: 'begun', state: await state() })
  try {
    const output = await command.run(input, world)
    const after = changes.state === undefined ? withoutSecrets(output.json) : await state()
    const outcome = output.exitCode === 1 ? 'failed' : 'done'
    // A tenant that was just made, or has moved, is looked for again.
    for (const ended of changes.made?.(output) ?? [{ tenantId, state: after }])
      await note(await trail(ended.tenantId), action, { ...ended, phase: 'ended', outcome })
    return output
  } catch (error) {
    const isRefused = error instanceof Refused || error instanceof UsageError
    const outcome = isRefused ? 'refused' : 'failed'
    const message = isRefused ? error.message : explain(error)
    const ended = { tenantId, phase: 'ended', outcome, message } as const
    await trail(tenantId)
      .then(async pool => note(pool, action, { ...ended, state: await state() }))
      .catch(() => world.warn('its end could not be written into the audit trail'))
    throw error
  }
}

const list: CliCommand = {
  words: ['audit', 'list'],
  summary: 'List what operators did with bin/millrace, the newest first',
  options: {
    ...optionalTenant('what concerned this tenant (default: all)'),
    after: { value: 'TIME', help: 'from then on: ISO-8601 date or timestamp' },
    limit: { value: 'N', help: `how many at most (default ${LIMIT_DEFAULT})` },
  },
  details: ['Each names the user of the system, the host, and the name that --by or MILLRACE_OPERATOR gave.'],
  examples: ['audit list', 'audit list --tenant 1001 --after 2026-11-01 --json'],
  run: async (input, world) => {
    const tenantId = tenantIn(input) ?? null
    const after = optional(input, 'after', moment) ?? null
    const limit = optional(input, 'limit', whole(1, LIMIT_MAX)) ?? LIMIT_DEFAULT
    const cells = tenantId === null ? await world.cells() : [await cellOf(world, tenantId)]
    const found = await Promise.all(cells.map(async cell => listActions(await cell.pool(), { tenantId, after, limit })))
    const actions = found.flat().sort(byTime).slice(0, limit)
    return {
      json: { actions: actions.map(parsed) },
      text:
        actions.length === 0
          ? 'Nothing was done.'
          : table(['BEGUN (UTC)', 'WHO', 'WHAT', 'TENANT', 'OUTCOME', 'CHANGED'], actions.map(shown)),
    }
  },
}

const timeOf = ({ begun_at, ended_at }: ListedAction): string => begun_at ?? ended_at ?? ''
const byTime = (one: ListedAction, other: ListedAction): number => (timeOf(one) < timeOf(other) ? 1 : -1)

const parsed = ({ arguments: given, before, after, ...action }: ListedAction) => ({
  ...action,
  arguments: JSON.parse(given) as unknown,
  before: before === null ? null : (JSON.parse(before) as unknown),
  after: after === null ? null : (JSON.parse(after) as unknown),
})

function shown(action: ListedAction): (string | null)[] {
  const { given_name, system_user, host, command, arguments: given, tenant_id, outcome, message } = action
  const { argument, ...options } = JSON.parse(given) as Record<string, string>
  const typed = Object.entries(options).map(([name, value]) => `--${name} ${value}`)
  const who = `${system_user}@${host}`
  return [
    timeOf(action).slice(0, 19).replace('T', ' '),
    given_name === null ? who : `${given_name} (${who})`,
    [command, ...(argument === undefined ? [] : [argument]), ...typed].join(' ').slice(0, SHOWN_MAX),
    tenant_id,
    outcome ?? 'its end is not known',
    (message ?? changedIn(action)).slice(0, SHOWN_MAX) || null,
  ]
}

/** `plan: free → pro` */
function changedIn({ before, after }: ListedAction): string {
  const [was, is] = [before, after].map(text => fields(text))
  if (was === null || is === null || was === undefined || is === undefined) return ''
  return Object.keys({ ...was, ...is })
    .filter(name => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    .map(name => `${name}: ${words(was[name])} → ${words(is[name])}`)
    .join(', ')
}

function fields(text: string | null): Record<string, unknown> | null {
  const value: unknown = text === null ? null : JSON.parse(text)
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
}

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

export const auditCommands: readonly CliCommand[] = [list]
