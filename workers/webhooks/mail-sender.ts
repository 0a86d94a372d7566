/** Sends mails to tenants' owners that are stored in PostgreSQL, and retries mails that the mail server refused. */
import { type DueMail, markSent, postponeMail, takeMail } from '../../lib/platform/mail/outbox.ts'
import { mailText } from '../../lib/platform/mail/texts.ts'
import type { MailTransport } from '../../lib/platform/mail/transport.ts'
import type { Pool } from '../../lib/platform/postgres/postgres.ts'
import type { Log } from '../../lib/platform/telemetry/log.ts'
import { webhookMetrics } from '../../lib/platform/telemetry/webhook-metrics.ts'
import { type Repeating, repeat } from '../repeat.ts'

const EVERY_MS = 1_000
/** The most mails that are sent one after another before a pause. */
const ROUND_MAX = 20
/** For this long no other process tries the mail. It is longer than the mail server may take (connecting, greeting, silence: 50 s). */
const LEASE_S = 600
/** The gaps after the first, second, ... try, in seconds. The last one repeats. */
const GAPS_S = [10, 60, 300, 1_800, 7_200, 21_600] as const

type Services = { readonly pool: Pool; readonly log: Log; readonly transport: MailTransport }

/** Looks for mails every second until closed. */
export function startMailSender(services: Services): Repeating {
  const { log, transport } = services
  const look = () => sendDueMails(services).catch(error => log.warn({ err: error }, 'mails could not be read'))
  const looking = repeat(look, { pauseMs: () => EVERY_MS })
  return {
    close: async () => {
      await looking.close()
      transport.close()
    },
  }
}

/**
 * Sends the due mails. Each is leased just before it is sent, so that its lease does not run while others are sent. @throws if PostgreSQL
 * cannot be reached
 */
export async function sendDueMails(services: Services): Promise<void> {
  for (let sent = 0; sent < ROUND_MAX; sent++) {
    const mail = await takeMail(services.pool, LEASE_S)
    if (mail === null) return
    await sendOne(services, mail)
  }
}

async function sendOne({ pool, log, transport }: Services, mail: DueMail): Promise<void> {
  try {
    const { subject, text } = mailText(mail.kind, JSON.parse(mail.facts))
    await transport.send({ id: mail.id, to: mail.recipient, subject, text, date: new Date(mail.createdAt) })
    await markSent(pool, mail)
    webhookMetrics.mail('sent')
    log.info({ tenant_id: mail.tenantId, mail_id: mail.id, kind: mail.kind, target: transport.target }, 'mail sent')
  } catch (error) {
    webhookMetrics.mail('failed')
    log.warn(
      { ...codesOf(error), tenant_id: mail.tenantId, mail_id: mail.id, target: transport.target },
      'mail not sent',
    )
    await postponeMail(pool, mail, GAPS_S[Math.min(mail.attempts, GAPS_S.length) - 1] ?? 0)
  }
}

/** Only the codes of an error: mail servers repeat the owner's address in their text. */
function codesOf(error: unknown): { readonly code?: string; readonly response_code?: number } {
  const { code, responseCode } = (error ?? {}) as { readonly code?: unknown; readonly responseCode?: unknown }
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof responseCode === 'number' ? { response_code: responseCode } : {}),
  }
}
