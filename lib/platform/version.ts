/** Which release this is, and how the connections of its processes are called, so that PostgreSQL shows what is still of an earlier one. */
import millrace from '../../package.json' with { type: 'json' }

/** `1.2.0` */
export const VERSION: string = millrace.version

/** PostgreSQL keeps 63 bytes of a name. */
const PROCESS_LENGTH_MAX = 40
/** What processes of the service use connections for. Up to 1.1 their names ended so; since then the version stands behind. */
const NAMED = /\S (?:keys|reads|units|alone|patient|chores|deliveries)(?: (?<version>\d+\.\d+\.\d+))?$/

/** The name of a connection: process, use, version (`web.1 reads 1.2.0`). */
export const connectionName = (process: string, use: string): string =>
  `${process.slice(0, PROCESS_LENGTH_MAX)} ${use} ${VERSION}`

/** Whether the connection of this name is of a process of the service. */
export const isOfService = (name: string): boolean => NAMED.test(name)

/** Whether the connection of this name is of a process of the service that is older than the version. */
export function isOlder(name: string, version: string): boolean {
  const found = NAMED.exec(name)
  return found !== null && isBefore(found.groups?.['version'] ?? '0.0.0', version)
}

/** Of two versions. */
export function isBefore(one: string, other: string): boolean {
  const [ones, others] = [one.split('.'), other.split('.')]
  const at = ones.findIndex((part, place) => part !== others[place])
  return at !== -1 && Number(ones[at]) < Number(others[at])
}
