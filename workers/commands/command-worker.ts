/** The command worker: drains ready tenants (drain.ts), finds forgotten queues, and does what is due. */
import { Drainer, type DrainServices } from './drain.ts'
import { startDueSweeps } from './due-sweep.ts'
import { startSweeper } from './queue-sweep.ts'
import { drainReady } from './ready-tenants.ts'

/** Starts draining. `close` waits for running batches. */
export function startCommandWorker(services: DrainServices): { readonly close: () => Promise<void> } {
  const drainer = new Drainer(services)
  const { cells, log } = services
  const ready = drainReady(services, drainer)
  const sweepers = cells.flatMap(({ name, pool }) => [
    startSweeper({ cell: name, pool, queues: drainer.queues, log }),
    ...startDueSweeps({ pool, log, ...drainer.dueIn(name) }),
  ])
  return {
    close: async () => {
      drainer.stop()
      await Promise.all(sweepers.map(sweeper => sweeper.close()))
      await ready.close()
      await drainer.close()
    },
  }
}
