/**
 * The import of suppliers and customers. A row is the body of `POST /suppliers`. It is found again by its external_ref, else by its title
 * and all its other fields.
 */
import { type Columns, columnsNamed, required, text } from './columns.ts'
import { partnerHeadings } from './headings.ts'
import { nameOf } from './in-order.ts'
import type { ImportKind } from './kind.ts'
import { recordWriter } from './record-writer.ts'
import { findAll, type Service } from './service.ts'
import { type Fields, sameFields, textIn } from './values.ts'

const addressParts = 'name company line_1 line_2 city region zip country_code phone'.split(' ')
const addressColumns = (name: string) => columnsNamed(text, addressParts.map(part => `${name}.${part}`).join(' '))

function partnersOf({
  name,
  scopes: [read, create, update],
  addresses,
}: {
  readonly name: 'suppliers' | 'customers'
  readonly scopes: readonly [read: string, create: string, update: string]
  readonly addresses: Columns
}): ImportKind {
  const path = `/${name}`
  return {
    name,
    title: name === 'suppliers' ? 'Suppliers' : 'Customers',
    about: `as in POST ${path}; found again by external_ref, else by title and the row's other values`,
    columns: {
      ...{ title: required(text), ...columnsNamed(text, 'country_code email phone tax_number currency external_ref') },
      ...{ 'metadata.*': text, ...addresses },
    },
    aliases: partnerHeadings,
    scopes: [read, create],
    createScopes: () => [create],
    updateScope: update,
    unique: ['external_ref'],
    rowsInDocument: null,
    open: (service, how = { update: false }) => {
      const lookupOf = (row: Fields) => {
        const ref = textIn(row['external_ref'])
        return ref === null ? null : `external_ref=${encodeURIComponent(ref)}`
      }
      const kind = { path, keyPrefix: `import-${name}`, hasByRef: true, lookupOf } as const
      const write = recordWriter(service, kind, how)
      let unnamed: Promise<Map<string, Fields[]>> | undefined
      const outcomeOf = async (body: Fields) => {
        if (textIn(body['external_ref']) !== null) return write(body)
        unnamed ??= withoutRef(service, path)
        // Each found partner counts for one row, so that two equal rows are two partners in a second run, too.
        const found = (await unnamed).get(String(body['title']).trim()) ?? []
        const at = found.findIndex(partner => sameFields(body, partner))
        if (at < 0) return write(body)
        found.splice(at, 1)
        return 'known'
      }
      return {
        names: row =>
          textIn(row['external_ref']) === null
            ? nameOf('title', row['title'])
            : nameOf('external_ref', row['external_ref']),
        take: async rows => {
          const outcomes = []
          for (const { line, body } of rows) outcomes.push({ line, outcome: await outcomeOf(body) })
          return outcomes
        },
      }
    },
  }
}

/**
 * The partners without an external_ref that exist before the first such row is sent, by title. Nothing else names them, and a title is not
 * unique.
 */
async function withoutRef(service: Service, path: string): Promise<Map<string, Fields[]>> {
  const byTitle = new Map<string, Fields[]>()
  for await (const partner of findAll(service, path, 'archived=false')) {
    if (partner['external_ref'] !== null) continue
    const title = String(partner['title'])
    const same = byTitle.get(title)
    if (same) same.push(partner)
    else byTitle.set(title, [partner])
  }
  return byTitle
}

export const suppliers = partnersOf({
  name: 'suppliers',
  scopes: ['read:purchase', 'write:purchase.supplier.create', 'write:purchase.supplier.update'],
  addresses: addressColumns('address'),
})
export const customers = partnersOf({
  name: 'customers',
  scopes: ['read:sales', 'write:sales.customer.create', 'write:sales.customer.update'],
  addresses: { ...addressColumns('shipping_address'), ...addressColumns('billing_address') },
})
