/** The log on a terminal: one short line per event, and all fields of errors. It changes neither what is logged nor the lines in a pipe. */
import { prettyFactory } from 'pino-pretty'
import { type LogLines, linePrefix } from './log-lines.ts'

/**
 * The tenant whose successful requests are hidden if they began before `until`. `until` is null while that time is still to come.
 */
export type Quiet = { tenantId: string | null; until: Date | null }

/** A line that a process logged (lib/platform/telemetry/log.ts). A request has the fields of server/observe.ts. */
type LogEvent = {
  readonly time: string
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

// Aligns the statuses of most requests within 80 columns.
const METHOD_WIDTH = 6
const ROUTE_WIDTH = 36

/** A writer for a terminal, with colours unless the terminal or `NO_COLOR` refuses them. Lines that are no events are written unchanged. */
export function readableLines(
  output: Pick<NodeJS.WriteStream, 'write' | 'hasColors'>,
  { names, quiet }: { names: readonly string[]; quiet: Quiet },
): LogLines {
  const isColoured = output.hasColors()
  const prefix = linePrefix(names, { isColoured })
  const pretty = prettyFactory({
    colorize: isColoured,
    customColors: 'message:reset',
    useOnlyCustomProps: false,
    errorLikeObjectKeys: ['err'],
    singleLine: true,
    ignore: 'time,level,process,method,route,status,ms',
    messageFormat: (event, _key, _label, { colors }) => {
      const { level, msg, method, route, status, ms } = event
      if (typeof status !== 'number') {
        const colour = level === 'warn' ? colors.yellow : colors.red
        return level === 'info' ? String(msg) : `${colour(String(level).toUpperCase())} ${msg}`
      }
      const colour = status < 400 ? colors.green : status < 500 ? colors.yellow : colors.red
      const request = `${String(method).padEnd(METHOD_WIDTH)} ${String(route).padEnd(ROUTE_WIDTH)}`
      return `${request} ${colour(String(status))} ${ms} ms`
    },
  })
  return (name, line) => {
    const event = eventOf(line)
    if (event !== null && isQuiet(event, quiet)) return
    const time = (event === null ? new Date() : new Date(event.time)).toTimeString().slice(0, 8)
    output.write(`${time} ${prefix(name)} ${event === null ? `${line}\n` : pretty(shortened(event))}`)
  }
}

function eventOf(line: string): LogEvent | null {
  if (!line.startsWith('{"level":')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null // cut off by the end of its process
  }
}

function isQuiet({ time, tenant_id, status, ms }: LogEvent, { tenantId, until }: Quiet): boolean {
  if (tenant_id !== tenantId || !(Number(status) < 400)) return false
  return until === null || Date.parse(time) - Number(ms) <= until.getTime()
}

/** Leaves out fields that a reader at a terminal needs only for faults: whose request it was, and where an error came from. */
function shortened(event: LogEvent): LogEvent {
  const { tenant_id, key_id, request_id, err, ...shown } = event
  if (event.level === 'warn' && isLogged(err))
    return { ...event, msg: `${event.msg}: ${reasonOf(err)}`, err: undefined }
  if (typeof event['status'] !== 'number' || event['status'] >= 500) return event
  return event['status'] < 400 ? shown : { ...shown, request_id }
}

type LoggedError = { readonly message: string; readonly cause?: unknown }
const isLogged = (err: unknown): err is LoggedError => typeof err === 'object' && err !== null && 'message' in err

/** The message and those of its causes in one line. Quoted text must not control the terminal. */
const reasonOf = ({ message, cause }: LoggedError): string =>
  (isLogged(cause) ? `${message}: ${reasonOf(cause)}` : message).replace(/\p{Cc}+/gu, ' ')
