/** Runs the example of each command. larger-commands.ts sends what the examples leave out. */
import { endpoints } from '../../../lib/nouns.ts'
import type { World } from '../world.ts'
import type { SendingTenant } from './tenant.ts'

export async function sendExamples(
  tenant: SendingTenant,
  { bodyOf, recordFor }: Pick<World<unknown>, 'bodyOf' | 'recordFor'>,
): Promise<void> {
  for (const endpoint of endpoints) {
    if (endpoint.kind !== 'command') continue
    const record = await recordFor(endpoint.path)
    const path = endpoint.path.replace(/\{\w+\}/, record?.id)
    await tenant.send(endpoint.method, path, bodyOf(endpoint, record))
  }
}
