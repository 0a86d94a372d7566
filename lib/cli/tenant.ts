/**
 * `tenant create`, `tenant update` and `tenant list`.
 */

import { createTenant, listTenants, plans, type TenantSummary, updateTenant } from '../access/tenants.ts'
import { valuesOf } from '../api/fields.ts'
import { announceKeys } from './announce-keys.ts'
import { type CliCommand, Refused, UsageError } from './command.ts'
import { minute, table } from './table.ts'
import { currency, email, id, oneOf, optional, required, text } from './values.ts'

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
      plan: optional(input, 'plan', oneOf(valuesOf(plans))) ?? 'free',
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

const update: CliCommand = {
  words: ['tenant', 'update'],
  summary: 'Change, suspend or resume a tenant; what is not named stays',
  argument: { name: 'ID', help: 'the tenant, as tenant list shows it' },
  options: {
    name: { value: 'NAME', help: 'the name of the business' },
    'owner-email': {
      value: 'EMAIL',
      help: 'who is told from now on; keys that name the old owner as their user keep it',
    },
    plan: { value: 'free|pro', help: 'counts for the next command; SKUs beyond the limit of free stay' },
    suspend: {
      help: 'answer all its keys with 403 within five seconds; accepted writes finish, webhooks are delivered',
    },
    resume: { help: 'serve its keys again' },
  },
  examples: [
    'tenant update 1001 --plan pro',
    'tenant update 1001 --name "Acme Ltd" --owner-email books@acme.example',
    'tenant update 1001 --suspend',
  ],
  run: async (input, world) => {
    const tenantId = id(input.argument, 'ID')
    const { suspend, resume } = input.options
    if (suspend && resume) throw new UsageError('--suspend and --resume exclude each other')
    const change = {
      name: optional(input, 'name', text),
      ownerEmail: optional(input, 'owner-email', email),
      plan: optional(input, 'plan', oneOf(valuesOf(plans))),
      suspended: suspend ? true : resume ? false : undefined,
    }
    if (Object.values(change).every(value => value === undefined))
      throw new UsageError('name something to change: --name, --owner-email, --plan, --suspend or --resume')
    const changed = await updateTenant(await world.pool(), { tenantId, ...change })
    if (changed === null) throw new Refused(`there is no tenant ${tenantId}`)
    if (change.suspended !== undefined) await announceKeys(changed.keys, world)
    return { json: changed.tenant, text: inWords(changed.tenant) }
  },
}

function inWords({ tenant_id, name, owner_email, plan, currency, suspended_at }: TenantSummary): string {
  const state = suspended_at === null ? 'its keys are served' : `suspended since ${minute(suspended_at)} UTC`
  return `Tenant ${tenant_id}: ${name}, ${owner_email}, plan ${plan}, ${currency}; ${state}`
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
      minute(tenant.suspended_at),
    ])
    return {
      json: { tenants },
      text:
        rows.length === 0
          ? 'There are no tenants yet: bin/millrace tenant create makes one.'
          : table(
              ['TENANT', 'NAME', 'OWNER', 'PLAN', 'CURRENCY', 'CLOSED THROUGH', 'CREATED (UTC)', 'SUSPENDED (UTC)'],
              rows,
            ),
    }
  },
}

export const tenantCommands: readonly CliCommand[] = [create, update, list]
