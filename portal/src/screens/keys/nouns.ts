/** API keys: how they are read, listed and linked. They have no events. */
import { filter } from '../../filters.ts'
import { noun } from '../../noun.ts'

export const requestFilters = {
  key_id: filter.keys('Who'),
  created_after: filter.day('From'),
  created_before: filter.day('Before'),
  outcome: filter.codes('Outcome', ['done', 'refused']),
  request_id: filter.text('Request'),
  idempotency_key: filter.text('Idempotency key'),
}

export const apiKeys = noun({
  ...{ kind: 'API_KEY', one: 'API key', many: 'API keys' },
  ...{ list: '/keys', resource: 'api-keys', scope: 'read:keys' },
  of: api => api.apiKeys,
  named: ({ id, name }) => ({ id, title: name }),
  filters: { status: filter.codes('Status', ['valid', 'expired', 'revoked']) },
  pageFilters: requestFilters,
  events: [],
})
