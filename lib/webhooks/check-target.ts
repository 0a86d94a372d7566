/**
 * Checks a subscription's URL before it is stored: its text, and the present addresses of its host name. Deliveries check again, because
 * the addresses of a name may change.
 */
import type { CheckSettings } from '../kit/api/endpoint.ts'
import { invalid, type Refusal } from '../kit/api/errors.ts'
import { within } from '../platform/within.ts'
import { resolveHost } from './resolve-host.ts'
import { addressFault, readTarget } from './target-rules.ts'

/** How long a caller waits for a slow name server. After that the name counts as not resolving yet. */
const PATIENCE_MS = 1_000

/** Refuses `validation_failed` for a URL that must not be called. A name that does not resolve yet is accepted. */
export async function checkTarget(
  { webhookAllowedNetworks: allowed }: CheckSettings,
  url: string | undefined,
): Promise<Refusal | undefined> {
  if (url === undefined) return undefined
  const target = readTarget(url, allowed)
  if (typeof target === 'string') return invalid('url', target)
  if (target.isLiteral) return undefined
  const addresses = await within(PATIENCE_MS, resolveHost(target.host)).catch(() => [])
  for (const address of addresses) {
    const fault = addressFault(address, { ...target, allowed })
    if (fault !== undefined) return invalid('url', fault)
  }
  return undefined
}
