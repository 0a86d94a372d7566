/** Collects every statement that the service sends for its endpoints, and those of its processes. */
import { endpoints } from '../../../lib/nouns.ts'
import type { TestServices } from '../../support/services.ts'
import { makeWorld } from '../world.ts'
import { sendExamples } from './commands.ts'
import { sendLargerCommands } from './larger-commands.ts'
import { sendOfProcesses } from './processes.ts'
import { sendReads } from './reads.ts'
import { numbered, type Statement } from './recorded.ts'
import { SentStatements } from './sent.ts'
import { sendingTenant } from './tenant.ts'
import { sendUnusual } from './unusual.ts'

export async function collectStatements(
  services: Pick<TestServices, 'databaseUrl' | 'redisUrl'>,
): Promise<readonly Statement[]> {
  const { databaseUrl } = services
  const sent = new SentStatements()
  const tenants = await Promise.all([
    sendingTenant(databaseUrl, sent),
    sendingTenant(databaseUrl, sent),
    sendingTenant(databaseUrl, sent, { isDistributed: true }),
  ])
  try {
    const [tenant, unusual, distributed] = tenants
    const world = await makeWorld({ ...tenant, keyId: tenant.actor.keyId }, endpoints)
    await sendExamples(tenant, world)
    await sendLargerCommands(tenant)
    await sendUnusual(unusual, sent)
    await sendLargerCommands(distributed)
    await sendReads(tenant, world)
    await sendOfProcesses(tenant, distributed, sent, services)
  } finally {
    sent.close()
    for (const tenant of tenants) await tenant.close()
  }
  return numbered(sent.all)
}
