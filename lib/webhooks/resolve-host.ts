/** Looks names up without the thread pool. There, one slow name server would block all four threads, and so all receivers. */
import { lookup, Resolver } from 'node:dns/promises'

/** Two tries of 1.5 s each fit into the 3 s for a connection. */
const resolver = new Resolver({ timeout: 1_500, tries: 1 })

/** Errors of a name server that say nothing about /etc/hosts. The system's own look-up then reads it, which is quick. */
const askSystemAfter = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EBADRESP'])

/** All addresses of a name, IPv4 first. @throws an error with a `code` when there is none, or no answer in time */
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
