/** Starts services in stages, keeps them running, and stops them stage by stage in reverse. */
import { type KeepEvents, type Kept, keepRunning, type Service } from './keep-running.ts'

export type Supervisor = {
  /** Starts services that depend on all earlier stages. Rejects when one cannot be started (the others continue). */
  startStage(services: readonly Service[]): Promise<void>
  /** Stops everything, the last stage first. Resolves when all is gone. Every call waits for the same shutdown. */
  stop(): Promise<void>
}

/** A supervisor without services. `events` gets every start and death. */
export function supervise(events: KeepEvents): Supervisor {
  const stages: Kept[][] = []
  let stopping: Promise<void> | undefined
  let starting: Promise<unknown> = Promise.resolve()

  const startStage = async (services: readonly Service[]) => {
    if (stopping) throw new Error('the supervisor is stopping')
    const stage: Kept[] = []
    stages.push(stage)
    const starts = Promise.allSettled(
      services.map(async service => {
        stage.push(await keepRunning(service, events))
      }),
    )
    starting = starts
    for (const outcome of await starts) if (outcome.status === 'rejected') throw outcome.reason
  }

  const stopAll = async () => {
    // A stage that is just starting is awaited first, so that nothing is left behind.
    await starting
    for (const stage of stages.toReversed()) await Promise.all(stage.map(kept => kept.stop()))
  }

  return {
    startStage,
    stop: () => {
      stopping ??= stopAll()
      return stopping
    },
  }
}
