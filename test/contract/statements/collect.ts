/** Collects every statement that the service sends for its endpoints, and those of its processes, in the files in which they are recorded. */
import { endpoints } from '../../../lib/nouns.ts'
import type { TestServices } from '../../support/services.ts'
import { makeWorld } from '../world.ts'
import { sendExamples } from './commands.ts'
import { sendLargerCommands } from './larger-commands.ts'
import { sendOfProcesses } from './processes.ts'
import { sendReads } from './reads.ts'
import { type Recorded, recordedAs } from './recorded.ts'
import { type Sent, SentStatements } from './sent.ts'
import { sendingTenant } from './tenant.ts'
import { sendUnusual } from './unusual.ts'

export const FILES = ['reads', 'writes', 'processes'] as const
export type File = (typeof FILES)[number]
export const urlOf = (file: File): URL => new URL(`${file}.sql`, import.meta.url)

export async function collectStatements(
  services: Pick<TestServices, 'databaseUrl' | 'redisUrl'>,
): Promise<ReadonlyMap<File, readonly Recorded[]>> {
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
  const byFile = Map.groupBy(sent.all, fileOf)
  return new Map(FILES.map(file => [file, recordedAs(byFile.get(file) ?? [])]))
}

const kinds = new Map(endpoints.map(({ id, kind }) => [id, kind]))
function fileOf({ sender }: Sent): File {
  const kind = kinds.get(sender.split(',')[0] ?? '')
  if (kind === undefined) return 'processes'
  return kind === 'command' || kind === 'bulk' ? 'writes' : 'reads'
}
