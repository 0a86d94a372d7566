/** Tests that `npm test` leaves out and `npm run torture` runs. */

/**
 * What takes long and seldom finds anything is a part of torture: long walks in a browser, the reference page (of another's
 * making) in one, a recovery as its page tells it, times of odd input, a second linter of the API's description, the client as a package, upgrades from 1.0, checks of backups, slow tenants,
 * moves that break off at any statement, broken networks, webhook processes killed again and again, TLS of every process.
 */
export const atLength = [
  'api/http-time',
  'api/linear-time',
  'cells/broken-off-anywhere',
  'client/generators',
  'client/package',
  'contract/spectral',
  'docs/docs-page',
  'docs/recovery',
  'docs/trials',
  'failure/broken-ways',
  'failure/webhooks',
  'operations/back',
  'operations/backup-check',
  'operations/tls',
  'operations/upgrade',
  'operations/version1',
  'pipeline/slow-tenants',
  'portal/buying',
  'portal/corrections',
  'portal/counts',
  'portal/frame-figures',
  'portal/frame-find',
  'portal/holds',
  'portal/import',
  'portal/keyboard-day',
  'portal/large',
  'portal/master-forms',
  'portal/order-editing',
  'portal/order-lines',
  'portal/order-planner',
  'portal/orders',
  'portal/quality',
  'portal/stock',
  'portal/stock-work',
  'portal/windows',
]
