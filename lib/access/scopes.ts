/** Scopes: what a key may do. The list is closed: the scopes that endpoints need. */

/** Each scope that an endpoint needs, once, in alphabetical order. */
export const scopesOf = (endpoints: readonly { readonly scope: string | null }[]): readonly string[] =>
  [...new Set(endpoints.flatMap(({ scope }) => scope ?? []))].sort()

/** Every scope of this version. It is expanded when the key is issued. */
export const ALL_SCOPES = 'all'

/**
 * Reads `all` or a comma-separated list (`read:stock,read:sales`).
 * @param scopes the closed list
 * @returns the scopes in the list's order, each once; or the first unknown name
 */
export function parseScopes(
  text: string,
  scopes: readonly string[],
): { readonly scopes: readonly string[] } | { readonly unknown: string } {
  if (text.trim() === ALL_SCOPES) return { scopes }
  const names = new Set(text.split(',').map(name => name.trim()))
  const unknown = [...names].find(name => !scopes.includes(name))
  return unknown === undefined ? { scopes: scopes.filter(scope => names.has(scope)) } : { unknown }
}
