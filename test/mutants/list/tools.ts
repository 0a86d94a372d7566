/** Faults of the tools beside the API, of the client and of the portal. */
import type { Mutant } from '../mutant.ts'

export const tools: readonly Mutant[] = [
  {
    name: 'changed-migration-passes',
    breaks: 'A migration that was changed after it was applied is not noticed.',
    file: 'lib/platform/postgres/migrate.ts',
    find: '&& known.get(name) !== checksum',
    replace: '&& known.get(name) === undefined',
    tests: ['store/migrations'],
  },
  {
    name: 'move-leaves-a-row',
    breaks: 'Of what changed while a tenant is copied, the last row of each table is left behind.',
    file: 'lib/tools/moves/catch-up.ts',
    find: 'first: 1, last })',
    replace: 'first: 1, last: last - 1 })',
    tests: ['cells/catch-up'],
  },
  {
    name: 'reconcile-blind-for-values',
    breaks: '`reconcile` does not look at the value of what was shipped.',
    file: 'lib/tools/reconcile/sales.ts',
    find: '<> (coalesce(s.quantity, 0), coalesce(s.value, 0))',
    replace: '<> (coalesce(s.quantity, 0), l.shipped_value)',
    tests: ['sales/reconcile'],
  },
  {
    name: 'confirmation-of-any-request',
    breaks: 'An assistant may apply another request than the one that the user has confirmed.',
    file: 'lib/tools/mcp/confirmation.ts',
    find: 'stamp, action, summary, request]',
    replace: 'stamp, action, summary]',
    tests: ['mcp/mcp'],
  },
  {
    name: 'import-keeps-last-part',
    breaks: 'Of an address in several columns an import keeps the last part alone.',
    file: 'imports/rows.ts',
    find: '...(isFields(before) ? before : {}), ',
    replace: '',
    tests: ['cli/import-kinds'],
  },
  {
    name: 'retried-under-new-key',
    breaks: 'The client repeats a write under another idempotency key.',
    file: 'client/src/send.ts',
    find: 'new Headers({ ...headers, authorization',
    replace:
      "new Headers({ ...headers, ...(idempotencyKey && { 'idempotency-key': String(Math.random()) }), authorization",
    tests: ['client/calls'],
  },
  {
    name: 'portal-forgets-quarantine',
    breaks: 'A receipt of the portal does not send that goods go to quarantine.',
    file: 'portal/src/screens/purchasing/receive.tsx',
    find: '              quarantine,\n',
    replace: '',
    tests: ['portal/portal'],
  },
  {
    name: 'portal-writes-formulas',
    breaks: 'A text of others is a formula in a file that the portal makes.',
    file: 'portal/src/patterns/csv.tsx',
    find: '!isOwn && FORMULA.test(value)',
    replace: 'isOwn && FORMULA.test(value)',
    tests: ['portal/lists', 'portal/quality'],
    atLength: true,
  },
]
