/**
 * The closed list of scopes. Every endpoint's scope must be one of them; a key
 * may hold a scope whose endpoints come later.
 */

export const scopes = [
  'read:catalog',
  'read:manufacturing',
  'read:purchase',
  'read:sales',
  'read:security-telemetry',
  'read:stock',
  'read:webhooks',
  'write:catalog.product.create',
  'write:catalog.product.update',
  'write:inventory.adjustment.create',
  'write:inventory.transfer.create',
  'write:manufacturing.operation.create',
  'write:manufacturing.operation.update',
  'write:manufacturing.order.complete',
  'write:manufacturing.order.create',
  'write:manufacturing.order.start',
  'write:manufacturing.order.update',
  'write:manufacturing.recipe.create',
  'write:manufacturing.recipe.update',
  'write:purchase.order.create',
  'write:purchase.order.update',
  'write:purchase.receipt.create',
  'write:purchase.supplier.create',
  'write:purchase.supplier.update',
  'write:sales.customer.create',
  'write:sales.customer.update',
  'write:sales.order.create',
  'write:sales.order.update',
  'write:sales.return.create',
  'write:sales.return.update',
  'write:stock.place.create',
  'write:stock.place.update',
  'write:webhooks',
] as const

export type Scope = (typeof scopes)[number]

const known: ReadonlySet<string> = new Set(scopes)

/** Stands for every scope of this version; it is expanded when the key is issued. */
export const ALL_SCOPES = 'all'

/**
 * Reads `all` or a comma-separated list (`read:stock,read:sales`).
 * @returns the scopes in the list's order, each once; or the first name that is no scope.
 */
export function parseScopes(text: string): { readonly scopes: readonly Scope[] } | { readonly unknown: string } {
  if (text.trim() === ALL_SCOPES) return { scopes }
  const names = new Set(text.split(',').map(name => name.trim()))
  const unknown = [...names].find(name => !known.has(name))
  return unknown === undefined ? { scopes: scopes.filter(scope => names.has(scope)) } : { unknown }
}
