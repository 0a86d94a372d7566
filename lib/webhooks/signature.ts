/** Signs as Standard Webhooks says (standardwebhooks.com): secrets and headers of a delivery. */
import { createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const SECRET_PREFIX = 'whsec_'
const USER_AGENT = 'Millrace-Webhooks/1.0'

/** 256 random bits. */
export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The form `whsec_<base64>`, which receivers' libraries expect. */
export const secretText = (secret: Buffer): string => SECRET_PREFIX + secret.toString('base64')

/** The owner of an encrypted secret, which can be decrypted for this owner only. */
export const secretOwner = (tenantId: string, subscriptionId: string) => `webhook ${tenantId} ${subscriptionId}`

/** The headers of one attempt. The signature has an HMAC-SHA256 of `id.timestamp.body` for each secret, the newest first. */
export function signedHeaders(
  delivery: { readonly eventId: string; readonly body: Buffer },
  secrets: readonly Buffer[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const head = `${delivery.eventId}.${timestamp}.`
  const sign = (secret: Buffer) =>
    `v1,${createHmac('sha256', secret).update(head).update(delivery.body).digest('base64')}`
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': delivery.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
