/** Finds the running service, and a key for it, for commands that call it like any caller. */
import { setTimeout as delay } from 'node:timers/promises'
import { isWellFormed } from '../../access/token.ts'
import { readDemo } from '../embedded/demo-file.ts'
import { type Input, Refused, UsageError, type World } from './command.ts'
import { optional, type Reader } from './values.ts'

const READY_TIMEOUT_MS = 5_000
/** A service that has just started, or is busy, answers 503. It is asked this many times, a second apart. */
const ASKED_MAX = 10

export const baseUrlOption = {
  'base-url': { value: 'URL', help: 'the running service (default the one that npm start runs here)' },
} as const

export const httpAddress: Reader<string> = (typed, label) => {
  if (URL.canParse(typed) && /^https?:$/.test(new URL(typed).protocol)) return typed.replace(/(?<!\/)\/+$/, '')
  throw new UsageError(`${label} must be an address like http://127.0.0.1:3000`)
}

/** The address of the service, from `--base-url` or run.json. @throws Refused when there is none or it is not ready */
export async function runningService(input: Input, world: World): Promise<string> {
  const baseUrl = optional(input, 'base-url', httpAddress) ?? (await world.baseUrl())
  if (baseUrl === null) throw new Refused('no service runs here: start it with npm start, or give --base-url')
  for (let asked = 1; !(await isReady(baseUrl)); asked++) {
    if (asked === ASKED_MAX) throw new Refused(`the service at ${baseUrl} is not ready`)
    await delay(1_000)
  }
  return baseUrl
}

/** @throws Refused when nothing answers there, or another service */
async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => null)
  await answer?.body?.cancel()
  if (answer?.ok) return true
  if (answer?.status === 503) return false
  throw new Refused(`the service at ${baseUrl} does not answer`)
}

/**
 * The service and the API key that a user calls it with: MILLRACE_URL and MILLRACE_TOKEN, else the demo of the service that runs here. The
 * demo's key is used only with the demo's own address, never for another service.
 */
export async function calledService(input: Input, world: World): Promise<{ baseUrl: string; token: string }> {
  const { url, token } = world.caller
  const named =
    optional(input, 'base-url', httpAddress) ?? (url === undefined ? undefined : httpAddress(url, 'MILLRACE_URL'))
  const baseUrl = named ?? (await world.baseUrl())
  if (baseUrl === null) throw new Refused('no service runs here: start it with npm start, or set MILLRACE_URL')
  if (token !== undefined) {
    if (!isWellFormed(token))
      throw new Refused('MILLRACE_TOKEN is no API key: one begins with mrk_, and bin/millrace key issue makes it')
    return { baseUrl, token }
  }
  const demo = named === undefined ? await readDemo(world.dataFolder) : null
  if (demo === null) throw new Refused('no API key: set MILLRACE_TOKEN (bin/millrace key issue makes one)')
  return { baseUrl, token: demo.token }
}
