/** Faults of webhooks. */
import type { Mutant } from '../mutant.ts'

export const webhooks: readonly Mutant[] = [
  {
    name: 'signed-with-another-time',
    breaks: 'The signature is of another timestamp than the header says.',
    file: 'lib/webhooks/signature.ts',
    find: '${delivery.eventId}.${timestamp}.',
    replace: '${delivery.eventId}.${nowMs}.',
    tests: ['client/webhook', 'webhooks/delivery'],
  },
  {
    name: 'old-secret-signs-no-more',
    breaks: 'While a secret is rotated the old one signs no more.',
    file: 'lib/webhooks/due-deliveries.ts',
    find: '(w.expires_at is null or w.expires_at > ${now}::timestamptz)',
    replace: 'w.expires_at is null',
    tests: ['webhooks/delivery'],
  },
  {
    name: 'retry-too-early',
    breaks: 'Each gap between attempts is that of the attempt before.',
    file: 'lib/webhooks/schedule-rules.ts',
    find: 'GAPS_S[attempts]',
    replace: 'GAPS_S[attempts - 1]',
    tests: ['webhooks/rules'],
  },
  {
    name: 'given-up-one-early',
    breaks: 'A delivery fails for good after nine attempts, not ten.',
    file: 'lib/webhooks/outcomes.ts',
    find: 'roundAttempts + 1 >= ATTEMPTS_MAX',
    replace: 'roundAttempts + 2 >= ATTEMPTS_MAX',
    tests: ['webhooks/schedule'],
  },
  {
    name: 'inside-reached-by-name',
    breaks: 'A name is connected to without a look at where it leads.',
    file: 'lib/webhooks/guarded-connector.ts',
    find: 'for (const address of addresses) judge(address, { isSecure, port: portOf.getStore() ?? 0 })',
    replace: '',
    tests: ['webhooks/forgery'],
  },
]
