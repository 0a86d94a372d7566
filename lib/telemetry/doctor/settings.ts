/**
 * Looks at the settings as a whole: each one alone was checked when it was read.
 */
import type { Config } from '../../store/config.ts'
import { type Finding, fine, warning } from './finding.ts'

/** @param isEmbedded whether the service that `npm start` runs here is examined. */
export function checkSettings(config: Config, isEmbedded: boolean): Finding[] {
  const findings: Finding[] = []
  if (config.smtpUrl === undefined)
    findings.push(
      warning('settings', 'SMTP_URL is not set', 'set it: owners are not told of spent quotas and disabled webhooks'),
    )
  if (!isEmbedded && config.webhookSecretKeys === undefined)
    findings.push(
      warning(
        'settings',
        'WEBHOOK_SECRET_KEY is not set',
        "set the same one for all processes (openssl rand -base64 32): without it each machine's data folder has its own, and one cannot read the other's secrets",
      ),
    )
  if (!isEmbedded && config.adminPort === 0)
    findings.push(
      warning('settings', 'ADMIN_PORT is not set', 'set one per process: at a random port nobody finds the metrics'),
    )
  return findings.length > 0 ? findings : [fine('settings', 'complete')]
}
