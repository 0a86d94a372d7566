/** Lines may name a supplier by its reference, which the interface takes by its id alone. */
import type { Millrace } from '@millrace/client'
import type { Row } from './rows.ts'

/** The same lines with `supplier_id` in place of `supplier_ref`; a reference that no supplier has is a fault of its line. */
export async function withSuppliers(
  client: Millrace,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const found = new Map<string, string | undefined>()
  for (const { body } of rows) {
    const { supplier_ref: ref, supplier_id: id } = body
    if (typeof ref !== 'string' || id !== undefined || found.has(ref)) continue
    const { data } = await client.suppliers.list({ external_ref: ref, limit: 1 }, { signal })
    found.set(ref, data[0]?.id)
  }
  return rows.map(row => {
    const { supplier_ref: ref, ...body } = row.body
    if (typeof ref !== 'string') return row
    if (body.supplier_id !== undefined) return { ...row, body }
    const id = found.get(ref)
    if (id !== undefined) return { ...row, body: { ...body, supplier_id: id } }
    const fault = { line: row.line, column: 'supplier_ref', reason: `no supplier has the reference ${ref}` }
    return { ...row, faults: [fault] }
  })
}
