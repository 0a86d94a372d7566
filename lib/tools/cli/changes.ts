/** What commands change in a tenant or a key, for the audit trail. */
import { listKeys } from '../../access/key-summaries.ts'
import { listTenants } from '../../access/tenants.ts'
import { INSTALLATION } from '../audit/trail.ts'
import type { Changes, Input, Output } from './command.ts'
import { poolOf, tenantOfKey } from './in-cells.ts'
import { id } from './values.ts'

/** A tenant, as in `tenant list`. */
export const ofTenant = (tenantOf: (input: Input) => string): Changes => ({
  tenant: async input => tenantOf(input),
  state: async (input, world) => {
    const tenants = await listTenants(await poolOf(world, tenantOf(input)))
    return tenants.find(({ tenant_id }) => tenant_id === tenantOf(input)) ?? null
  },
})

/** The named key, as in `key list`. */
export const ofKey: Changes = {
  tenant: (input, world) => tenantOfKey(world, id(input.argument, 'ID')),
  state: async (input, world) => {
    const tenantId = await tenantOfKey(world, id(input.argument, 'ID'))
    if (tenantId === null) return null
    const { last_used_at: _, ...key } =
      (await listKeys(await poolOf(world, tenantId), tenantId)).find(({ key_id }) => key_id === input.argument) ?? {}
    return key
  },
}

export const withoutSecrets = ({ token: _, secret: __, ...json }: Output['json']) => json

/**
 * The one tenant in the answer. The installation, whose trail has the beginning, has the end too, so that it is known when the tenant is
 * erased; the state goes with the tenant.
 */
export const madeTenant = ({ json }: Output) => [
  { tenantId: String(json['tenant_id']), state: withoutSecrets(json) },
  { tenantId: INSTALLATION, state: undefined },
]
