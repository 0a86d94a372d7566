/**
 * The import of suppliers and customers. A row is the body of `POST /suppliers`. It is found again by its external_ref, else by its title
 * and all its other fields.
 */

import { Customer, type Partner, Supplier } from '../../domain/partners/noun.ts'
import type { JsonObject } from '../../platform/json.ts'
import { columnsOf } from './columns.ts'
import { nameOf } from './in-order.ts'
import { sameFields } from './json-values.ts'
import type { ImportKind } from './kind.ts'
import { recordUpdater, recordWriter } from './record-writer.ts'
import { findAll, type Service } from './service.ts'

function partnersOf(of: Partner): ImportKind {
  const { path, table, scopes } = of
  return {
    name: table,
    about: `as in POST ${path}; found again by external_ref, else by title and the row's other values`,
    columns: columnsOf(of),
    scopes: [scopes.read, scopes.create].filter(scope => scope !== undefined),
    updateScope: scopes.update ?? '',
    open: (service, { update } = { update: false }) => {
      const lookupOf = (row: JsonObject) => {
        const ref = refOf(row)
        return ref === null ? null : `external_ref=${encodeURIComponent(ref)}`
      }
      const kind = { path, keyPrefix: `import-${table}`, hasByRef: true, lookupOf, isSame: sameFields } as const
      const write = (update ? recordUpdater : recordWriter)(service, kind)
      let unnamed: Promise<Map<string, JsonObject[]>> | undefined
      return {
        names: row =>
          refOf(row) === null ? nameOf('title', row['title']) : nameOf('external_ref', row['external_ref']),
        take: async ({ body }) => {
          if (refOf(body) !== null) return write(body)
          unnamed ??= withoutRef(service, path)
          // Each found partner counts for one row, so that two equal rows are two partners in a second run, too.
          const found = (await unnamed).get(String(body['title']).trim()) ?? []
          const at = found.findIndex(partner => sameFields(body, partner))
          if (at < 0) return write(body)
          found.splice(at, 1)
          return 'known'
        },
      }
    },
  }
}

function refOf(row: JsonObject): string | null {
  const ref = row['external_ref']
  return typeof ref === 'string' && ref.trim() !== '' ? ref.trim() : null
}

/**
 * The partners without an external_ref that exist before the first such row is sent, by title. Nothing else names them, and a title is not
 * unique.
 */
async function withoutRef(service: Service, path: string): Promise<Map<string, JsonObject[]>> {
  const byTitle = new Map<string, JsonObject[]>()
  for await (const partner of findAll(service, path, 'archived=false')) {
    if (partner['external_ref'] !== null) continue
    const title = String(partner['title'])
    const same = byTitle.get(title)
    if (same) same.push(partner)
    else byTitle.set(title, [partner])
  }
  return byTitle
}

export const suppliers = partnersOf(Supplier)
export const customers = partnersOf(Customer)
