/** The endpoints of an accountant's own codes, with the only writer of their table. */
import * as v from 'valibot'
import { defineRead } from '../../../kit/api/endpoint.ts'
import { isRefusal } from '../../../kit/api/errors.ts'
import { command } from '../../../kit/documents/command.ts'
import { answerOf } from '../../../kit/documents/needs.ts'
import { question } from '../../../kit/documents/question.ts'
import { resource } from '../../../kit/documents/resources.ts'
import type { PartKind } from '../../../kit/documents/work.ts'
import { type Connection, rows } from '../../../platform/postgres/postgres.ts'
import { rowArrays } from '../../../platform/postgres/row-arrays.ts'
import { booksTag } from '../tag.ts'
import { type Codes, changedCodes, codesOf } from './rules.ts'
import { Accounting, AccountingChange } from './schemas.ts'

const stored = question({
  name: 'codes of accounts',
  keys: {},
  sql: `select accounts::text as accounts, categories::text as categories from account_codes where tenant_id = $1::bigint`,
  read: ([row]) => codesOf(row ? { accounts: row['accounts'] ?? '{}', categories: row['categories'] ?? '[]' } : null),
})

/** What the commands of one unit of work have changed so far. */
class Changed {
  codes: Codes | null = null
}

const columns = rowArrays({ tenant_id: 'bigint', accounts: 'jsonb', categories: 'jsonb' })

const part: PartKind<Changed> = {
  make: () => new Changed(),
  write: parts => {
    const changed = parts.flatMap(({ work, part: { codes } }) =>
      codes ? [{ tenant_id: work.tenant.id, ...codes }] : [],
    )
    const text = `
      insert into account_codes (tenant_id, accounts, categories)
      select c.tenant_id, c.accounts, c.categories from ${columns.from} as c (${columns.names})
      on conflict (tenant_id) do update set accounts = excluded.accounts, categories = excluded.categories`
    return changed.length === 0 ? [] : [{ text, values: columns.valuesOf(changed) }]
  },
}

const about = { path: '/accounting', tag: booksTag, reply: Accounting, refusals: [] } as const

/** Refuses as `changedCodes` does. It has no event. */
export const changeAccounting = command({
  ...about,
  id: 'changeAccounting',
  method: 'PATCH',
  scope: 'write:accounting',
  summary: "Change an accountant's own codes",
  description:
    'Codes and names that the journal and balances show beside the accounts, at once and for all days. An account that is omitted stays; ' +
    '`categories` are replaced as a whole. There is no event.',
  body: AccountingChange,
  example: {
    accounts: { INVENTORY: { code: '1140', name: 'Goods' }, COST_OF_GOODS_SOLD: { code: '5200' } },
    categories: [{ category: 'Furniture', account: 'INVENTORY', code: '1141' }],
  },
  success: 200,
  countsAsDocument: false,
  ids: () => 0,
  needs: () => ({ before: answerOf(stored, {}) }),
  decide: ({ body }, { before }, { work }) => {
    const codes = changedCodes(before, body)
    if (isRefusal(codes)) return codes
    const changed = work.part(part)
    const old = changed.codes
    changed.codes = codes
    work.undo(() => {
      changed.codes = old
    })
    work.changeAnswer(stored, {}, codes)
    return { body: JSON.stringify(codes), events: [] }
  },
})

export async function readCodes(connection: Connection, tenantId: string): Promise<Codes> {
  const found = await connection.maybeOne(rows(v.object({ accounts: v.string(), categories: v.string() }))`
    select accounts::text as accounts, categories::text as categories from account_codes where tenant_id = ${tenantId}::bigint`)
  return codesOf(found)
}

const getAccounting = defineRead({
  ...about,
  id: 'getAccounting',
  tagged: true,
  scope: 'read:accounting',
  summary: "Read an accountant's own codes",
  description: 'Codes and names beside the accounts of the books. Without any they are null.',
  handle: async ({ pool, tenantId }) => {
    const { accounts, categories } = await readCodes(pool, tenantId)
    // jsonb sorts the keys of an object, so the keys are put in order here.
    const shown = categories.map(({ category, account, code }) => ({ category, account, code }))
    const each = Object.entries(accounts).map(([account, { code, name }]) => [account, { code, name }])
    return JSON.stringify({ accounts: Object.fromEntries(each), categories: shown })
  },
})

export const accounting = resource([], [getAccounting, changeAccounting])
