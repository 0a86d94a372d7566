/** Looks names up without the thread pool. One slow name server would hold all four threads, and with them all receivers. */
import { lookup, Resolver } from 'node:dns/promises'

/** One try of 1.5 s, then another: within the 3 s for a connection. */
const resolver = new Resolver({ timeout: 1_500, tries: 1 })

/** Errors of a name server that say nothing about /etc/hosts. Then the system's own look-up is asked, which is quick. */
const askSystemAfter = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EBADRESP'])

/**
 * All addresses of a name, IPv4 first.
 * @throws an error with a `code` when there is none, or no answer in time
 */
export async function resolveHost(name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const reasons = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
  const slow = reasons.find(reason => !askSystemAfter.has((reason as NodeJS.ErrnoException).code ?? ''))
  if (slow) throw slow
  const local = await lookup(name, { all: true, order: 'ipv4first' })
  return local.map(({ address }) => address)
}
