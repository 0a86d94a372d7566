/**
 * The check of a subscription's URL before it is stored: its text, and what its name leads to today. Deliveries check again,
 * since names change.
 */
import type { CheckSettings } from '../kit/api/endpoint.ts'
import { invalid, type Refusal } from '../kit/api/errors.ts'
import { resolveHost } from './resolve-host.ts'
import { addressFault, readTarget } from './target-rules.ts'

/** A caller does not wait longer for a slow name server; such a name counts as not resolving yet. */
const PATIENCE_MS = 1_000

/** Refuses `validation_failed` for a URL that must not be called; a name that does not resolve yet is accepted. */
export async function checkTarget(
  { webhookAllowedNetworks: allowed }: CheckSettings,
  url: string | undefined,
): Promise<Refusal | undefined> {
  if (url === undefined) return undefined
  const target = readTarget(url, allowed)
  if (typeof target === 'string') return invalid('url', target)
  if (target.isLiteral) return undefined
  for (const address of await resolvedNow(target.host)) {
    const fault = addressFault(address, { ...target, allowed })
    if (fault !== undefined) return invalid('url', fault)
  }
  return undefined
}

async function resolvedNow(host: string): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  const timer = setTimeout(resolve, PATIENCE_MS, [])
  const found = resolveHost(host).catch(() => [])
  try {
    return await Promise.race([found, promise])
  } finally {
    clearTimeout(timer)
  }
}
