/** The release, and the names of the connections of its processes, so that PostgreSQL shows connections of earlier releases. */
import millrace from '../../package.json' with { type: 'json' }

/** `1.0.0` */
export const VERSION: string = millrace.version

/** PostgreSQL keeps 63 bytes of a name. */
const PROCESS_LENGTH_MAX = 40
/** The uses of connections by processes of the service, with a version. */
const NAMED = /\S (?:keys|reads|units|alone|patient|chores|deliveries) \d+\.\d+\.\d+$/

/** The name of a connection: process, use, version (`web.1 reads 1.0.0`). */
export const connectionName = (process: string, use: string): string =>
  `${process.slice(0, PROCESS_LENGTH_MAX)} ${use} ${VERSION}`

/** Whether a connection of this name belongs to a process of the service. */
export const isOfService = (name: string): boolean => NAMED.test(name)
