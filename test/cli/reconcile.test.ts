import { statement } from '../../lib/platform/postgres/postgres.ts'
import { runCommandLine } from '../../lib/tools/cli/main.ts'
import { sendOver } from '../../lib/tools/demo/client.ts'
import { fillDemo } from '../../lib/tools/demo/data.ts'
import { createDemo } from '../../lib/tools/demo/tenant.ts'
import { serviceOfFile } from '../support/of-file.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

const service = await serviceOfFile()

async function run(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const env = { DATABASE_URL: service.databaseUrl }
  const root = '/nonexistent'
  const status = await runCommandLine(args, { env, root, out: text => out.push(text), err: text => err.push(text) })
  return { status, out: out.join('\n'), err: err.join('\n') }
}

test('books that agree are 0, books that do not are 1 and a table', async t => {
  const { tenantId, token } = await createDemo(service.databaseUrl)
  await fillDemo(sendOver(service.url, token), line => t.fail(line))
  const agreeing = await run('reconcile', '--tenant', tenantId)
  t.is(agreeing.status, 0, agreeing.out)
  t.regex(agreeing.out, /^\d+ checks over 1 tenant: everything agrees\.$/)
  await service.pool.query(statement`
    update stock_levels set quantity = quantity + 1
    where (tenant_id, id) in (
      select tenant_id, id from stock_levels where tenant_id = ${tenantId} and quantity > 0 order by id limit 1)`)
  const faulty = await run('reconcile', '--tenant', tenantId)
  t.is(faulty.status, 1)
  t.is(faulty.err, '')
  t.regex(faulty.out, /fault[\s\S]*TENANT +CHECK +SUBJECT +EXPECTED +FOUND/)
  const asJson = await run('reconcile', '--tenant', tenantId, '--json')
  t.is(asJson.status, 1)
  const report = JSON.parse(asJson.out) as { faults: { tenant_id: string }[] }
  t.true(report.faults.length > 0)
  t.deepEqual(
    report.faults.filter(fault => fault.tenant_id !== tenantId),
    [],
  )
})

test('a tenant that is not there is refused', async t => {
  const { status, err } = await run('reconcile', '--tenant', '999')
  t.is(status, 1)
  t.regex(err, /there is no tenant 999/)
})
