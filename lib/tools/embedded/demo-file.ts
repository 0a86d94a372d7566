/** `demo.json` in the data folder: the demo tenant's key, kept so that a second start shows the same one. */
import { join } from 'node:path'
import { openClient } from '../../platform/postgres/client.ts'
import { readIfThere, writePrivateFile } from './secret-file.ts'

export type Demo = { base_url: string; tenant_id: string; token: string }

/**
 * The demo tenant and its key: those of `demo.json` while the database has that tenant, else new ones. Writes the file each time, because
 * the address may have changed.
 */
export async function keepDemo(options: {
  dataFolder: string
  databaseUrl: string
  baseUrl: string
  create: (databaseUrl: string) => Promise<{ tenantId: string; token: string }>
}): Promise<Demo> {
  const path = join(options.dataFolder, 'demo.json')
  const kept = await readDemo(options.dataFolder)
  const tenant =
    kept !== null && (await hasTenant(options.databaseUrl, kept.tenantId))
      ? kept
      : await options.create(options.databaseUrl)
  const demo: Demo = { base_url: options.baseUrl, tenant_id: tenant.tenantId, token: tenant.token }
  await writePrivateFile(path, `${JSON.stringify(demo, null, 2)}\n`)
  return demo
}

/** The demo tenant and its key from `demo.json`; null if there is none. */
export async function readDemo(dataFolder: string): Promise<{ tenantId: string; token: string } | null> {
  return parse(await readIfThere(join(dataFolder, 'demo.json')))
}

function parse(text: string | null): { tenantId: string; token: string } | null {
  try {
    const demo: Partial<Demo> = JSON.parse(text ?? '{}')
    const { tenant_id, token } = demo
    return typeof tenant_id === 'string' && /^\d+$/.test(tenant_id) && typeof token === 'string'
      ? { tenantId: tenant_id, token }
      : null
  } catch {
    return null
  }
}

async function hasTenant(databaseUrl: string, tenantId: string): Promise<boolean> {
  const { client, end } = await openClient(databaseUrl, { fallback_application_name: 'millrace start' })
  try {
    return (await client.query('SELECT FROM tenants WHERE tenant_id = $1', [tenantId])).rowCount === 1
  } finally {
    await end()
  }
}
