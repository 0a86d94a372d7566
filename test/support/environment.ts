/**
 * Owns what tests see of the environment: the shell's, without anything that sets up the service, a tracer or a PostgreSQL
 * client.
 */

/** Settings of lib/platform/config.ts, OpenTelemetry's variables (the exporter reads more of them) and libpq's. */
const SETTINGS =
  /^(DATABASE_|REDIS_|SMTP_|MAIL_|ADMIN_|MILLRACE_|WEBHOOK_|WORKER_|COMMAND_|QUEUE_|RECONCILE_|REPLAY_|FREE_PLAN_|HTTP_|CORS_|OTEL_|PG[A-Z]|(HOST|PORT|TRUST_PROXY|LOG_LEVEL)$)/

/** The environment for tests, and for the processes that they start. */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SETTINGS.test(name)))

/**
 * All that a process of a test gets of the shell, before its own settings: the search path, and where Node keeps what it has
 * compiled (a web process loads in half the time).
 */
export const bareEnvironment = (): NodeJS.ProcessEnv => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}
