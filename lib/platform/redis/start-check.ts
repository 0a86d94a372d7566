/**
 * Refuses to start with a REDIS_URL that no waiting repairs: the server refuses the password, rights or TLS, lacks the database, or is no
 * Redis. A Redis that cannot be reached, loads its data or is full may soon be back, and does not prevent the start.
 */
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ConfigError, shownSetting } from '../config-error.ts'
import { within } from '../within.ts'
import { readRedisAddress } from './address.ts'
import { closeRedis, connectRedis, reach } from './redis.ts'
import { refusalOf } from './refusals.ts'
import { missingRights } from './rights.ts'

const PATIENCE_MS = 1_000

/** @throws ConfigError with one line that says what is wrong */
export async function refuseWrongRedis(url: string): Promise<void> {
  const redis = connectRedis(url, 'producer', 'start check')
  try {
    await reach(redis)
    const missing = await missingRights(redis)
    if (missing !== undefined) throw wrong(url, missing)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const why = refusalOf(error) ?? (await whatListens(url))
    if (why !== undefined) throw wrong(url, why)
  } finally {
    await closeRedis(redis)
  }
}

const wrong = (url: string, why: string): ConfigError =>
  new ConfigError(`REDIS_URL ${shownSetting('REDIS_URL', url)}: the server ${why}`)

/** PostgreSQL's request for TLS, which it answers with one letter. */
const POSTGRES_QUESTION = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Guesses the kind of a server that does not use Redis's protocol; undefined: unknown. */
async function whatListens(url: string): Promise<string | undefined> {
  const address = readRedisAddress(url)
  if (address?.kind !== 'single') return undefined
  const { protocol, hostname, port } = new URL(address.url)
  const at = { host: hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port || 6379) }
  if (protocol === 'rediss:')
    return /^[+-]/.test(await answerTo(connectPlain(at), 'PING\r\n')) ? 'speaks no TLS: say redis://' : undefined
  if (/^[SN]$/.test(await answerTo(connectPlain(at), POSTGRES_QUESTION))) return 'is PostgreSQL'
  return (await speaksTls(at)) ? 'speaks TLS: say rediss://' : undefined
}

/** The first bytes that a server sends; empty where it sends none. */
async function answerTo(socket: Socket, question: string | Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('data', data => resolve(data.toString('latin1')))
  socket.once('error', () => resolve(''))
  socket.once('close', () => resolve(''))
  socket.write(question)
  return within(PATIENCE_MS, promise)
    .catch(() => '')
    .finally(() => socket.destroy())
}

async function speaksTls(at: { readonly host: string; readonly port: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // The certificate does not matter: nothing is sent.
  const socket = connectTls({ ...at, rejectUnauthorized: false }, () => resolve(true))
  socket.once('error', () => resolve(false))
  socket.once('close', () => resolve(false))
  return within(PATIENCE_MS, promise)
    .catch(() => false)
    .finally(() => socket.destroy())
}
