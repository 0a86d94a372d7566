/** Makes the answers of different tenants comparable, since their ids and times differ. */
import type { Outcome } from '../../lib/pipeline/command.ts'

/** The same text for every tenant: ids are replaced by the order of their first appearance, and times are left out. */
export function plain(value: unknown): unknown {
  const ids = new Map<string, string>()
  const stand = (id: string): string => {
    const known = ids.get(id) ?? `#${ids.size}`
    ids.set(id, known)
    return known
  }
  const walk = (each: unknown, key: string): unknown => {
    if (Array.isArray(each)) return each.map(entry => walk(entry, key))
    if (each !== null && typeof each === 'object')
      return Object.fromEntries(Object.entries(each).map(([name, entry]) => [name, walk(entry, name)]))
    if (/(_at|date|timestamp)$/.test(key) && key !== 'expiry_date') return null
    if (typeof each !== 'string') return each
    if (key === 'secret') return 'whsec'
    if (key === 'message')
      return each.replaceAll(/(?<=taken by |of product |subscription |supplier item |line )\d+/g, stand)
    return /(^|_)id$/.test(key) ? stand(each) : each
  }
  return walk(value, '')
}

export const parsed = (outcome: Outcome | undefined): unknown =>
  outcome?.kind === 'done'
    ? { status: outcome.status, replayed: outcome.replayed, body: JSON.parse(outcome.body ?? 'null') }
    : { error: outcome?.refusal.refusal, message: outcome?.refusal.message }
