/**
 * Structured logs: one JSON line per event on standard output. Bodies, keys, addresses of callers and SQL parameters never
 * get here (issue "Operations").
 */
import { type Logger, pino } from 'pino'

export type Log = Logger

/** Errors are logged by what they are, never by what a query held: Slonik's and pg's errors carry statements and values. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as { code?: unknown }).code
  return {
    type: error.name,
    message: error.message.slice(0, 500),
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack?.split('\n').slice(1, 8).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/** A logger for one process (`web.1`). */
export function createLog(options: { readonly level: string; readonly processName: string }): Log {
  return pino({
    level: options.level,
    base: { process: options.processName },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: label => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: ['authorization', '*.authorization', 'token', '*.token', 'secret', '*.secret', 'password', '*.password'],
      remove: true,
    },
  })
}
