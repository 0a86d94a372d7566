/** Finds the running service for commands that write through it like any caller. */
import { type Input, Refused, UsageError, type World } from './command.ts'
import { optional, type Reader } from './values.ts'

const READY_TIMEOUT_MS = 5_000

export const baseUrlOption = {
  'base-url': { value: 'URL', help: 'the running service (default the one that npm start runs here)' },
} as const

export const httpAddress: Reader<string> = (typed, label) => {
  if (URL.canParse(typed) && /^https?:$/.test(new URL(typed).protocol)) return typed.replace(/(?<!\/)\/+$/, '')
  throw new UsageError(`${label} must be an address like http://127.0.0.1:3000`)
}

/** The address of the service, by `--base-url` or run.json. @throws Refused when there is none or it is not ready. */
export async function runningService(input: Input, world: World): Promise<string> {
  const baseUrl = optional(input, 'base-url', httpAddress) ?? (await world.baseUrl())
  if (baseUrl === null) throw new Refused('no service runs here: start it with npm start, or give --base-url')
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => null)
  await answer?.body?.cancel()
  if (!answer?.ok) throw new Refused(`the service at ${baseUrl} is not ready`)
  return baseUrl
}
