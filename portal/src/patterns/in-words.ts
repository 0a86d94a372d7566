/** Scopes and requests of the API in words for people. The API's own names are shown beside them. */

/** Scopes whose parts do not give good words. */
const scopeTexts: Readonly<Record<string, string>> = {
  'read:catalog': 'see products, recipes and operations',
  'read:keys': 'see API keys',
  'read:requests': 'see requests',
  'read:webhooks': 'see events and webhooks',
  'write:webhooks': 'change webhooks',
  'write:keys': 'make and revoke API keys',
}

/** The scope `write:sales.order.create` as `create sales orders`. */
export function scopeWords(scope: string): string {
  const known = scopeTexts[scope]
  if (known !== undefined) return known
  const [kind = '', what = ''] = scope.split(':')
  const parts = what.replaceAll(/[-_]/g, ' ').split('.')
  const verb = kind === 'read' ? 'see' : parts.length > 1 ? (parts.at(-1) ?? '') : 'change'
  const nouns = kind === 'read' || parts.length === 1 ? parts : parts.slice(0, -1)
  return `${verb} ${nouns.join(' ')}${nouns.length === 1 ? '' : nouns.at(-1)?.endsWith('ch') ? 'es' : 's'}`
}

const verbs: Readonly<Record<string, string>> = { GET: 'See', POST: 'Make', PATCH: 'Change', DELETE: 'Delete' }

/** Requests whose paths do not give good words. */
const requestTexts: Readonly<Record<string, string>> = {
  'GET /me': 'See: who is signed in',
  'GET /events/stream': 'Follow: events',
  'POST /bulk': 'Many writes at once',
}

/** The request `POST /sales-orders/17/shipments` as `Make: shipment of sales order`. */
export function requestWords(method: string, path: string): string {
  const known = requestTexts[`${method} ${path}`]
  if (known !== undefined) return known
  const isList = method === 'GET' && !/(\d+|\})$/.test(path)
  const names = path.split('/').filter(part => part !== '' && !/^(\d+|\{.*\})$/.test(part))
  const last = names.at(-1) ?? ''
  const nouns = names.map((name, index) => {
    const words = name.replaceAll('-', ' ')
    return isList && index === names.length - 1 ? words : singular(words)
  })
  // In `/sales-orders/17/cancel` the action is the last part, and no plural.
  if (method === 'POST' && names.length > 1 && !last.endsWith('s'))
    return `${capital(last.replaceAll('-', ' '))}: ${nouns.slice(0, -1).toReversed().join(' of ')}`
  return `${verbs[method] ?? method}: ${nouns.toReversed().join(' of ')}`
}

const singular = (word: string): string =>
  word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.endsWith('ches')
      ? word.slice(0, -2)
      : word.endsWith('s')
        ? word.slice(0, -1)
        : word

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
