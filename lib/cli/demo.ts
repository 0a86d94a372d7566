/**
 * `demo`: another filled demo tenant in the running service.
 */
import { createDemo } from '../access/demo.ts'
import { sendOver } from '../access/demo-client.ts'
import { fillDemo } from '../access/demo-data.ts'
import { type CliCommand, Refused, UsageError } from './command.ts'
import { optional, type Reader } from './values.ts'

const READY_TIMEOUT_MS = 5_000

const httpAddress: Reader<string> = (typed, label) => {
  if (URL.canParse(typed) && /^https?:$/.test(new URL(typed).protocol)) return typed.replace(/\/+$/, '')
  throw new UsageError(`${label} must be an address like http://127.0.0.1:3000`)
}

const demo: CliCommand = {
  words: ['demo'],
  summary: 'Make a demo tenant with goods and stock, and a key for it',
  options: { 'base-url': { value: 'URL', help: 'the running service (default the one that npm start runs here)' } },
  examples: ['demo', 'demo --base-url http://127.0.0.1:3000 --json'],
  run: async (input, world) => {
    const baseUrl = optional(input, 'base-url', httpAddress) ?? (await world.baseUrl())
    if (baseUrl === null) throw new Refused('no service runs here: start it with npm start, or give --base-url')
    await refuseUnlessReady(baseUrl)
    const { tenantId, token } = await createDemo(await world.databaseUrl())
    await fillDemo(sendOver(baseUrl, token))
    return {
      json: { base_url: baseUrl, tenant_id: tenantId, token },
      text: [
        `Demo tenant ${tenantId}, a coffee roastery with three places, eight products and their stock. Its key:`,
        `\n  ${token}\n`,
        `curl -H 'Authorization: Bearer ${token}' ${baseUrl}/api/external/v1/stock`,
      ].join('\n'),
    }
  },
}

/** The goods go through the service: a tenant without them would be left behind if it is away. */
async function refuseUnlessReady(baseUrl: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => null)
  await answer?.body?.cancel()
  if (!answer?.ok) throw new Refused(`the service at ${baseUrl} is not ready`)
}

export const demoCommands: readonly CliCommand[] = [demo]
