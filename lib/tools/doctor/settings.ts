/** Looks at the settings together. Each one alone was checked when it was read. */
import { differencesIn, HOW_TO_CHANGE, wordsOf } from '../../access/shared-settings.ts'
import type { Config } from '../../platform/config.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import { type Finding, fault, fine, warning } from './finding.ts'

/** Whether the settings that all processes must share have the service's values here. */
export async function checkSharedSettings(main: Pool, config: Config): Promise<Finding[]> {
  const differences = await differencesIn(main, config)
  return differences.map(each => fault('settings', wordsOf(each), HOW_TO_CHANGE))
}

/** @param isEmbedded whether the examined service is the one that `npm start` runs here */
export function checkSettings(config: Config, isEmbedded: boolean): Finding[] {
  const findings = config.misspelt.map(found => warning('settings', found, 'give it the right name, or take it away'))
  if (isEmbedded) return findings.length > 0 ? findings : [fine('settings', 'the embedded services')]
  if (config.smtpUrl === undefined)
    findings.push(
      warning(
        'settings',
        'SMTP_URL is not set',
        'set SMTP_URL: mails to owners (spent quotas, disabled webhooks) only become files',
      ),
    )
  if (config.webhookSecretKeys === undefined)
    findings.push(
      fault(
        'settings',
        'WEBHOOK_SECRET_KEY is not set',
        'set the same WEBHOOK_SECRET_KEY for all processes (openssl rand -base64 32): none starts without it',
      ),
    )
  return findings.length > 0 ? findings : [fine('settings', 'complete')]
}
