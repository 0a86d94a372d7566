/** How many copies of which part each tenant of a grown database gets. */
import type { Part, PartName } from './template.ts'

export type Size = {
  readonly tenants: number
  readonly movements: number
  readonly orders: number
  readonly days: number
}

/** Copies of the parts that one tenant has. */
export type Share = { readonly catalogues: number; readonly trades: number; readonly counts: number }

/** A catalogue of ten variants for so many movements. */
const MOVEMENTS_PER_CATALOGUE = 500

/**
 * The shares of tenants by rank. Movements fall with the rank as words do in a text (the second has half of the first), down to what
 * one catalogue has: few tenants are huge and most are small.
 * @throws RangeError for fewer movements than the tenants' catalogues have.
 */
export function planShares(size: Size, templates: Readonly<Record<PartName, Part>>): readonly Share[] {
  const { catalogue, trade, counts } = templates
  const least = catalogue.movements
  if (size.movements < size.tenants * least)
    throw new RangeError(`so many tenants have ${size.tenants * least} movements at least`)
  const ranks = Array.from({ length: size.tenants }, (_, rank) => rank + 1)
  const sumOf = (largest: number) => ranks.reduce((sum, rank) => sum + Math.max(least, largest / rank), 0)
  let [low, high] = [0, size.movements]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (sumOf(middle) < size.movements) low = middle
    else high = middle
  }
  const shares = ranks.map(rank => {
    const movements = Math.max(least, low / rank)
    return { movements, catalogues: Math.max(1, Math.round(movements / MOVEMENTS_PER_CATALOGUE)) }
  })
  const catalogues = shares.reduce((sum, share) => sum + share.catalogues, 0)
  const tradesWanted =
    Math.max(0, size.orders - catalogues * catalogue.orders - size.tenants * templates.base.orders) / trade.orders
  const rest = size.movements - catalogues * least
  // What is left over of one tenant goes to the next, so that the sums are met.
  let [tradesOwed, movementsOwed] = [0, 0]
  return shares.map(share => {
    const free = share.movements - share.catalogues * least
    tradesOwed += rest > 0 ? (tradesWanted * Math.max(0, free)) / rest : 0
    const trades = Math.floor(tradesOwed)
    tradesOwed -= trades
    movementsOwed += free - trades * trade.movements
    const counted = Math.max(0, Math.floor(movementsOwed / counts.movements))
    movementsOwed -= counted * counts.movements
    return { catalogues: share.catalogues, trades, counts: counted }
  })
}

/** Of one tenant: its first block (the base), its shares, and from when to when its blocks are. */
export type Tenant = Share & { readonly base: number; readonly startsAt: Date; readonly endsAt: Date }

export const blocksOf = ({ catalogues, trades, counts }: Share): number => 1 + catalogues + trades + counts

/** So many of all tenants began as long ago as the size says, and are still at work: the largest ones. */
const OLD_SHARE = 0.01
/** Of the others so many have stopped some time ago. */
const STOPPED_SHARE = 0.3

/**
 * Gives each share a tenant: in an order of no meaning, with blocks one after another.
 * @throws RangeError where a tenant has more blocks than fit into its time.
 */
export function planTenants(
  shares: readonly Share[],
  {
    firstBlock,
    days,
    until,
    tookMs,
  }: { readonly firstBlock: number; readonly days: number; readonly until: Date; readonly tookMs: number },
): readonly Tenant[] {
  const random = randomSource(1)
  const ageMs = days * 86_400_000
  const shuffled = shares
    .map((share, rank) => ({ share, isOld: rank <= shares.length * OLD_SHARE, at: random() }))
    .sort((a, b) => a.at - b.at)
  let base = firstBlock
  return shuffled.map(({ share, isOld }) => {
    const startsAt = until.getTime() - ageMs * (isOld ? 1 : 0.1 + 0.9 * random())
    const isStopped = !isOld && random() < STOPPED_SHARE
    const endsAt = startsAt + (until.getTime() - startsAt) * (isStopped ? random() : 1)
    const tenant = { ...share, base, startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
    base += blocksOf(share)
    if (isOld && (endsAt - startsAt) / blocksOf(share) < tookMs)
      throw new RangeError('so many movements do not fit into so few days')
    return tenant
  })
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
