/** The endpoint of the security telemetry. `report.ts` computes the answer. */

import * as v from 'valibot'
import { defineRead } from '../kit/api/endpoint.ts'
import { invalid } from '../kit/api/errors.ts'
import { offsetTimestamp, shape } from '../kit/api/fields.ts'
import { choice, explained, idText, instant, named, orNull, plainText, wholeNumber } from '../kit/api/reply-fields.ts'
import { resource } from '../kit/documents/resources.ts'
import { securityReport } from './report.ts'
import { DAY_MS, levels, metrics } from './rules.ts'

const realNumber = () => v.pipe(v.number(), v.finite(), v.metadata({ jsonSchema: { type: 'number' } }))

const Telemetry = named(
  'SecurityTelemetry',
  v.strictObject({
    window_start: explained(instant(), 'inclusive'),
    window_end: explained(instant(), 'exclusive'),
    baseline_start: explained(instant(), 'Seven days before `window_start`.'),
    baseline_end: explained(instant(), 'the start of the window'),
    generated_at: explained(instant(), 'when this was made'),
    metrics: explained(
      v.array(
        v.strictObject({
          name: explained(choice(metrics), 'what is counted'),
          count: explained(wholeNumber(), 'In the window.'),
          baseline_daily_mean: explained(realNumber(), 'Of the seven 24-hour windows before it.'),
          baseline_daily_max: explained(wholeNumber(), 'of the seven 24-hour windows before it'),
          ratio: explained(orNull(realNumber()), '`count` by `baseline_daily_mean`; null when the mean is 0.'),
          level: explained(
            choice(levels),
            'ELEVATED from a ratio of 3 on (without a ratio: from a count of 10 on, or of 100 when the baseline holds no request at all), HIGH from a ratio of 10 on.',
          ),
        }),
      ),
      'what was counted, beside the days before',
    ),
    by_key: explained(
      v.array(
        v.strictObject({
          key_id: explained(idText(), 'the key'),
          requests: explained(wholeNumber(), 'how many there were'),
          denied: explained(wholeNumber(), 'Answered with 401, 403 or 429.'),
          distinct_networks: explained(
            orNull(wholeNumber()),
            'Networks (/24 of IPv4, /48 of IPv6) that the key was used from; null below `privacy.minimum_group`.',
          ),
        }),
      ),
      'the same by key',
    ),
    by_route: explained(
      v.array(
        v.strictObject({
          method: explained(plainText(), 'of HTTP'),
          route: explained(plainText(), 'The template (`/products/{id}`).'),
          requests: explained(wholeNumber(), 'how many there were'),
          errors: explained(wholeNumber(), 'Answered with 4xx or 5xx.'),
        }),
      ),
      'the same by endpoint',
    ),
    operator_actions: explained(
      v.array(
        v.strictObject({
          at: explained(instant(), 'when it was done'),
          operator: explained(orNull(plainText()), 'The name that the operator gave; null: none.'),
          command: explained(plainText(), 'What was done, as `key update`.'),
          changed: explained(v.array(plainText()), 'the fields that are others since then'),
        }),
      ),
      'What the operators of the service did that concerns the tenant, in the window, the newest first; 100 at most.',
    ),
    privacy: explained(
      v.strictObject({ minimum_group: explained(wholeNumber(), 'fewer networks than this are not told') }),
      'what protects single users',
    ),
  }),
)

const getSecurityTelemetryEndpoint = defineRead({
  id: 'getSecurityTelemetry',
  path: '/security/telemetry',
  tag: ['Security', 'How the keys of the tenant are used.'],
  scope: 'read:security-telemetry',
  summary: 'Read the security telemetry of 24 hours',
  description:
    'What the requests of the tenant looked like in `[windowStart, windowEnd)`, beside the seven 24-hour windows before. ' +
    'Requests count when they are authenticated, and when they name a key of the tenant that is revoked or expired ' +
    '(`unauthorized`); attempts with unknown keys belong to no tenant. A request counts in the second in which it came; a ' +
    'bound within a second takes the whole second in. Counts appear within 10 seconds and are kept for 90 days; a window ' +
    'that ends in the future is answered with what is known. `foreign_references` are requests refused for a reference to ' +
    'a record that is not in this tenant. Neither addresses nor user agents, bodies or keys are stored: networks are ' +
    'counted through a keyed hash whose key is dropped after 8 days. `by_key` names the 1,000 keys with the most requests.',
  query: shape({
    windowStart: explained(offsetTimestamp(), 'inclusive'),
    windowEnd: explained(offsetTimestamp(), 'exclusive, exactly 24 hours later'),
  }),
  exampleQuery: { windowStart: '2026-10-12T00:00:00Z', windowEnd: '2026-10-13T00:00:00Z' },
  refusals: [],
  reply: Telemetry,
  handle: async ({ pool, tenantId, now }, { query: { windowStart, windowEnd } }) => {
    if (Date.parse(windowEnd) - Date.parse(windowStart) !== DAY_MS)
      return invalid('windowEnd', 'must be exactly 24 hours after windowStart')
    return JSON.stringify(await securityReport(pool, { tenantId, windowStart, windowEnd, now }))
  },
})

export const security = resource([], [getSecurityTelemetryEndpoint])
