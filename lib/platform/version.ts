/** Which release this is, and how the connections of its processes are called, so that PostgreSQL shows what is still of an earlier one. */
import millrace from '../../package.json' with { type: 'json' }

/** `1.0.0` */
export const VERSION: string = millrace.version

/** PostgreSQL keeps 63 bytes of a name. */
const PROCESS_LENGTH_MAX = 40
/** What processes of the service use connections for, and their version. */
const NAMED = /\S (?:keys|reads|units|alone|patient|chores|deliveries) \d+\.\d+\.\d+$/

/** The name of a connection: process, use, version (`web.1 reads 1.0.0`). */
export const connectionName = (process: string, use: string): string =>
  `${process.slice(0, PROCESS_LENGTH_MAX)} ${use} ${VERSION}`

/** Whether the connection of this name is of a process of the service. */
export const isOfService = (name: string): boolean => NAMED.test(name)
