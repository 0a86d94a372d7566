/** The tasks of colleagues, each as the scopes that it needs. */
import { scopeWords } from '../../patterns/in-words.ts'

const reads = (names: string) => names.split(' ').map(name => `read:${name}`)

/** The scopes of roles, by the beginnings of the scopes' names. */
const roleScopes: Readonly<Record<string, readonly string[]>> = {
  Warehouse: [
    ...reads('catalog stock sales purchase manufacturing'),
    ...['write:inventory.', 'write:stock.', 'write:sales.order.update', 'write:sales.shipment.', 'write:sales.return.'],
    'write:purchase.receipt.',
  ],
  Maker: [...reads('catalog stock manufacturing'), 'write:manufacturing.', 'write:stock.batch.'],
  Buyer: [...reads('catalog stock purchase manufacturing'), 'write:purchase.'],
  Seller: [...reads('catalog stock sales'), 'write:sales.'],
  Books: [...reads('catalog stock sales purchase manufacturing accounting requests webhooks'), 'write:accounting'],
  All: ['read:', 'write:'],
}

/** The role whose scopes a person ticks one by one. */
export const SINGLE = 'Single scopes'
export const roles: readonly string[] = [...Object.keys(roleScopes), SINGLE]

export const scopesOfRole = (role: string, scopes: readonly string[]): readonly string[] =>
  scopes.filter(scope => roleScopes[role]?.some(start => scope.startsWith(start)))

/** Scopes in words, one line for each kind of record: `create, update sales orders`. */
export function scopesInWords(scopes: readonly string[]): readonly string[] {
  const byThing = Map.groupBy(scopes, scope => {
    const [verb = '', ...thing] = scopeWords(scope).split(' ')
    return `${verb === 'see' ? verb : ''} ${thing.join(' ')}`
  })
  return [...byThing].map(([thing, of]) => {
    const verbs = [...new Set(of.map(scope => scopeWords(scope).split(' ')[0]))]
    return `${verbs.join(', ')} ${thing.replace(/^see /, '').trim()}`
  })
}
