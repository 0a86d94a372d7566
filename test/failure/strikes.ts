/** One attack of `npm run torture` on rigs of its own, and its outcome: figures, faults, and the seconds that it took. */
import type { Attack } from './attacks.ts'
import { passMidnight } from './expiry.ts'
import { type Follower, startFollower } from './follower.ts'
import { type Fault, type FaultKind, faultKinds, type Journal } from './journal.ts'
import { type Load, startLoad } from './load.ts'
import { prove } from './proof.ts'
import { moreAcknowledged, openRig, type Rig } from './rig.ts'

/**
 * A tenant whose answer takes longer after an attack counts as not served. Only torture reports it, since `npm test` may run on a busy
 * machine.
 */
const BACK_MS_MAX = 30_000

export type Strikes = {
  readonly attack: Attack
  readonly figures: Record<'strikes' | 'acknowledged' | 'refused' | 'open' | 'replayed' | 'dry' | 'events', number>
  seconds: number
  slowestMs: number
  readonly faults: Fault[]
  /** The error lines of the logs, if there are faults. */
  readonly errors: string[]
}

export const noStrikes = (attack: Attack): Strikes => ({
  attack,
  figures: { strikes: 0, acknowledged: 0, refused: 0, open: 0, replayed: 0, dry: 0, events: 0 },
  seconds: 0,
  slowestMs: 0,
  faults: [],
  errors: [],
})

type StrikeOptions = {
  /** The number of tenants; undefined: that of the attack. */
  readonly tenants: number | undefined
  /** The number for each tenant; undefined: that of the attack. */
  readonly clients: number | undefined
  readonly seed: number
  /** The same rig is attacked again until then, in ms since the epoch. */
  readonly until: number
  readonly onStrike: (strikes: Strikes, journal: Journal) => void
}

/** Opens a rig, attacks it once or more, and proves that no write was lost, doubled or mixed up. Adds what it finds to `strikes`. */
export async function strike(strikes: Strikes, options: StrikeOptions): Promise<void> {
  const { attack, figures } = strikes
  const began = performance.now()
  let rig: Rig | undefined
  let load: Load | undefined
  let follower: Follower | undefined
  try {
    rig = await openRig({ ...attack.rig, ...(options.tenants === undefined ? {} : { tenants: options.tenants }) })
    load = startLoad(rig, {
      ...attack.load,
      ...(options.clients === undefined ? {} : { clients: options.clients }),
      seed: options.seed,
    })
    follower = await startFollower(rig)
    do {
      await moreAcknowledged(rig, 100, 'work before the strike')
      await passMidnight(rig, figures.strikes)
      await attack.strike(rig)
      const backMs = await moreAcknowledged(rig, 20, 'work after the strike')
      if (backMs > BACK_MS_MAX) rig.journal.fault('other', 'the service', `back after ${Math.round(backMs)} ms`)
      strikes.slowestMs = Math.max(strikes.slowestMs, backMs)
      figures.strikes++
      options.onStrike(strikes, rig.journal)
    } while (Date.now() < options.until)
    await load.stop()
    await follower.stop()
    await prove(rig, [rig.postgres.url])
  } catch (error) {
    rig?.journal.fault('other', 'the service', (error as Error).message)
    if (!rig) throw error
    // Without this both would run for ever against a rig that is closed.
    load?.giveUp()
    follower?.giveUp()
  } finally {
    if (rig) note(strikes, rig)
    figures.events += follower?.figures.events ?? 0
    await rig?.close()
    strikes.seconds += (performance.now() - began) / 1_000
  }
}

function note({ figures, faults, errors }: Strikes, { journal, ...rig }: Rig): void {
  for (const name of ['acknowledged', 'refused', 'open', 'replayed', 'dry'] as const)
    figures[name] += journal.figures[name]
  faults.push(...journal.faults)
  if (journal.faults.length > 0) errors.push(...rig.errors())
}

/** A row of the table of attacks. */
export function rowOf({ figures, faults, slowestMs }: Strikes) {
  const count = (kind: FaultKind) => faults.filter(fault => fault.kind === kind).length
  return {
    ...figures,
    ...Object.fromEntries(faultKinds.map(kind => [kind, count(kind)])),
    'back within ms': Math.round(slowestMs),
  }
}
