/** Scopes: what a key may do. The scopes that endpoints need are all there are. */

/** Each scope that an endpoint needs, once, in alphabetical order. */
export const scopesOf = (endpoints: readonly { readonly scope: string | null }[]): readonly string[] =>
  [...new Set(endpoints.flatMap(({ scope }) => scope ?? []))].sort()

/** Stands for every scope of this version. The scopes are listed when the key is issued. */
export const ALL_SCOPES = 'all'

/**
 * Reads `all` or a comma-separated list (`read:stock,read:sales`).
 * @param scopes the known scopes
 * @returns the scopes in the order of the known ones, each once; or the first unknown name
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
