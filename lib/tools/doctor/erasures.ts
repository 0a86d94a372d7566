/** Looks for tenants whose erasure is not finished: they are not served any more, but still have rows. */
import * as v from 'valibot'
import { type Connection, rows } from '../../platform/postgres/postgres.ts'
import { type Finding, warning } from './finding.ts'

export async function checkErasures(pool: Connection): Promise<Finding[]> {
  const found = await pool.any(rows(v.object({ tenant_id: v.string(), name: v.string() }))`
    select tenant_id::text, name from tenants where moving is not null and moving ->> 'erased' = 'true' order by tenant_id`)
  return found.map(({ tenant_id: id, name }) =>
    warning(
      'erasures',
      `the erasure of tenant ${id} is not over`,
      `if nobody runs it now, bin/millrace tenant erase --tenant ${id} --name ${JSON.stringify(name)} goes on with it`,
    ),
  )
}
