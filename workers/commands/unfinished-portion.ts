/** A portion on its way: which of its commands are left, how the others ended, and who is told. It runs nothing. */
import type { Portion, Ran } from '../../lib/documents/unit-of-work.ts'
import { type Command, type Ended, type Outcome, tenantGone, unavailable } from '../../lib/pipeline/command.ts'

/** How a portion is run; what it tells must not throw. */
export type RunOptions = {
  /** Whether it keeps out of units with others, and runs command by command: its tenant was slow a moment ago. */
  readonly alone?: boolean
  /** Told of the next commands that ended, as soon as they are committed. */
  readonly onEnded?: (ended: readonly Ended[]) => void
  /** Told of a portion that was slow, and is given back with its first commands only. */
  readonly onSlow?: () => void
  /** Told of a tenant that does not live here: then nothing more of its portion is answered. Absent: it is refused. */
  readonly onGone?: () => void
  /** Told of a tenant whose writes rest while it is moved: its portion is given back with its first commands only. Absent: it is refused. */
  readonly onMoving?: () => void
}

/** What is told of every portion; it must not throw. */
export type Listeners = {
  /** Reports what should not happen. */
  readonly onFault: (error: unknown, command: Command) => void
  /** Told after a commit that the tenant has new events, and whether its webhooks may have work to do. */
  readonly onEvents?: (tenantId: string, of: { readonly hasWebhooks: boolean }) => void
}

export class UnfinishedPortion {
  readonly options: RunOptions & Listeners
  readonly #portion: Portion
  readonly #left: Command[]
  readonly #ended: Ended[] = []
  readonly #end = Promise.withResolvers<readonly Ended[]>()

  constructor(portion: Portion, options: RunOptions & Listeners) {
    this.options = options
    this.#portion = portion
    this.#left = [...portion.commands]
  }

  get tenantId(): string {
    return this.#portion.tenantId
  }

  get left(): readonly Command[] {
    return this.#left
  }

  /** Some of what is left, to be run. */
  part(commands: readonly Command[]): Portion {
    return { ...this.#portion, commands }
  }

  /** When it has ended: its commands with their outcomes, in their order; the first only, where it was given back. */
  get ended(): Promise<readonly Ended[]> {
    return this.#end.promise
  }

  /** What became of the first that were left. */
  add({ ended, hasEvents = false, hasWebhooks = false }: Partial<Ran> & Pick<Ran, 'ended'>): void {
    this.#ended.push(...ended)
    this.#left.splice(0, ended.length)
    this.options.onEnded?.(ended)
    if (hasEvents) this.options.onEvents?.(this.#portion.tenantId, { hasWebhooks })
  }

  /** Ends with the commands that have ended. */
  end(): void {
    this.#end.resolve(this.#ended)
  }

  /** Ends, with one outcome for all that is left. */
  refuse(outcome: Outcome): void {
    this.add({ ended: this.#left.map(command => ({ command, outcome })) })
    this.end()
  }

  /** Ends, since the database was lost. */
  giveUp(error: unknown): void {
    for (const command of this.#left) this.options.onFault(error, command)
    this.refuse(unavailable)
  }

  /** Ends, since its tenant is not here, or on its way. */
  leave(why: 'gone' | 'moving'): void {
    const tell = why === 'gone' ? this.options.onGone : this.options.onMoving
    if (tell === undefined) this.refuse(why === 'gone' ? tenantGone : unavailable)
    tell?.()
    this.end()
  }
}
