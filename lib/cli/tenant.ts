/**
 * `tenant create` and `tenant list`.
 */
import { createTenant, listTenants } from '../access/tenants.ts'
import type { CliCommand } from './command.ts'
import { minute, table } from './table.ts'
import { currency, email, oneOf, optional, required, text } from './values.ts'

const create: CliCommand = {
  words: ['tenant', 'create'],
  summary: 'Create a tenant',
  options: {
    name: { value: 'NAME', help: 'the name of the business', required: true },
    'owner-email': { value: 'EMAIL', help: 'who is told of spent quotas and failing webhooks', required: true },
    plan: { value: 'free|pro', help: 'free has a limit of SKUs, pro has none (default free)' },
    currency: { value: 'CODE', help: 'ISO 4217 code of the books, for good (default EUR)' },
  },
  examples: [
    'tenant create --name "Northwind Bikes" --owner-email owner@northwind.example',
    'tenant create --name Acme --owner-email ops@acme.example --plan pro --currency USD --json',
  ],
  run: async (input, world) => {
    const tenant = {
      name: required(input, 'name', text),
      ownerEmail: required(input, 'owner-email', email),
      plan: optional(input, 'plan', oneOf(['free', 'pro'])) ?? 'free',
      currency: optional(input, 'currency', currency) ?? 'EUR',
    }
    const tenantId = await createTenant(await world.pool(), tenant)
    return {
      json: { tenant_id: tenantId },
      text: [
        `Tenant ${tenantId}: ${tenant.name}, plan ${tenant.plan}, ${tenant.currency}`,
        `Its first key: bin/millrace key issue --tenant ${tenantId}`,
      ].join('\n'),
    }
  },
}

const list: CliCommand = {
  words: ['tenant', 'list'],
  summary: 'List the tenants',
  options: {},
  examples: ['tenant list', 'tenant list --json'],
  run: async (_input, world) => {
    const tenants = await listTenants(await world.pool())
    const rows = tenants.map(tenant => [
      tenant.tenant_id,
      tenant.name,
      tenant.owner_email,
      tenant.plan,
      tenant.currency,
      tenant.closed_through,
      minute(tenant.created_at),
    ])
    return {
      json: { tenants },
      text:
        rows.length === 0
          ? 'There are no tenants yet: bin/millrace tenant create makes one.'
          : table(['TENANT', 'NAME', 'OWNER', 'PLAN', 'CURRENCY', 'CLOSED THROUGH', 'CREATED (UTC)'], rows),
    }
  },
}

export const tenantCommands: readonly CliCommand[] = [create, list]
