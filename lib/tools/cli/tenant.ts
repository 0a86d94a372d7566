/**
 * `tenant create`, `tenant update` and `tenant list`.
 */

import { isKnownZone, listTenants, plans, type TenantSummary, updateTenant } from '../../access/tenants.ts'
import { valuesOf } from '../../kit/api/fields.ts'
import { isTimeZone } from '../../kit/days.ts'
import { MAIN } from '../../platform/cells.ts'
import type { Pool } from '../../platform/postgres/postgres.ts'
import { announceKeys } from './announce-keys.ts'
import { madeTenant, ofTenant } from './changes.ts'
import { type CliCommand, Refused, UsageError } from './command.ts'
import { cellNamed, cellOf, poolOf } from './in-cells.ts'
import { inSeconds, move } from './moving.ts'
import { createIn } from './new-tenant.ts'
import { minute, table } from './table.ts'
import { erase } from './tenant-erase.ts'
import { exportCommand } from './tenant-export.ts'
import { importCommand } from './tenant-import.ts'
import { journalCommand } from './tenant-journal.ts'
import { createMany, madeMany, manyColumns } from './tenant-many.ts'
import { tenantByItself, tenantByItselfOf, tenantOf, tenantOption } from './tenant-option.ts'
import { currency, email, oneOf, optional, required, text } from './values.ts'

const create: CliCommand = {
  words: ['tenant', 'create'],
  summary: 'Create a tenant',
  options: {
    name: { value: 'NAME', help: 'the name of the business, which must be there unless --many is' },
    'owner-email': {
      value: 'EMAIL',
      help: 'who is told of spent quotas and failing webhooks; must be there unless --many is',
    },
    plan: { value: 'free|pro', help: 'free has a limit of SKUs, pro has none (default free)' },
    currency: { value: 'CODE', help: 'ISO 4217 code of the books, for good (default EUR)' },
    'time-zone': { value: 'NAME', help: 'of the IANA base: its days are days there (default UTC)' },
    cell: { value: 'NAME', help: 'where it is to live (default: where tenants per weight are fewest)' },
    many: { value: 'FILE.csv', help: 'a tenant for each line instead; takes no other option' },
  },
  details: [
    `The columns of the file, in any order: ${manyColumns}. name and owner_email must be there. first_key names a first key with all`,
    'scopes. All lines are checked before the first tenant is made. A line whose name and owner_email a tenant has makes nobody, so that',
    'the same file may be given again. Tokens are shown this once.',
  ],
  examples: [
    'tenant create --name "Northwind Bikes" --owner-email owner@northwind.example',
    'tenant create --name Acme --owner-email ops@acme.example --plan pro --currency USD --json',
    'tenant create --many tenants.csv',
  ],
  changes: {
    made: output => (output.json['tenants'] === undefined ? madeTenant(output) : madeMany(output)),
  },
  run: async (input, world) => {
    const { many, ...others } = input.options
    if (many !== undefined) {
      if (Object.keys(others).length > 0) throw new UsageError('--many takes no other option: the file has the columns')
      return createMany(many, world)
    }
    const tenant = {
      name: required(input, 'name', text),
      ownerEmail: required(input, 'owner-email', email),
      plan: optional(input, 'plan', oneOf(valuesOf(plans))) ?? 'free',
      currency: optional(input, 'currency', currency) ?? 'EUR',
      timeZone: optional(input, 'time-zone', text),
    }
    if (tenant.timeZone !== undefined) await refuseUnknown(await world.pool(), tenant.timeZone)
    const { tenantId, cell } = await createIn(world, tenant, input.options['cell'])
    return {
      json: { tenant_id: tenantId, ...(cell === MAIN ? {} : { cell }) },
      text: [
        `Tenant ${tenantId}: ${tenant.name}, plan ${tenant.plan}, ${tenant.currency}${cell === MAIN ? '' : `, in the cell ${cell}`}`,
        `Its first key: bin/millrace key issue --tenant ${tenantId}`,
      ].join('\n'),
    }
  },
}

const update: CliCommand = {
  words: ['tenant', 'update'],
  summary: 'Change, suspend or resume a tenant; what is not named stays',
  argument: tenantByItself.argument,
  options: {
    ...tenantByItself.options,
    name: { value: 'NAME', help: 'the name of the business' },
    'owner-email': {
      value: 'EMAIL',
      help: 'who is told from now on; keys that name the old owner as their user keep it',
    },
    plan: { value: 'free|pro', help: 'counts for the next command; SKUs beyond the limit of free stay' },
    'time-zone': {
      value: 'NAME',
      help: 'of the IANA base; holds from the next command on, and what expires or is good again by it is told within a minute',
    },
    suspend: {
      help: 'answer all its keys with 403 within five seconds; accepted writes finish, webhooks are delivered',
    },
    resume: { help: 'serve its keys again' },
  },
  examples: [
    'tenant update --tenant 1001 --plan pro',
    'tenant update --tenant 1001 --name "Acme Ltd" --owner-email books@acme.example',
    'tenant update --tenant 1001 --suspend',
  ],
  changes: ofTenant(tenantByItselfOf),
  run: async (input, world) => {
    const tenantId = tenantByItselfOf(input)
    const { suspend, resume } = input.options
    if (suspend && resume) throw new UsageError('--suspend and --resume exclude each other')
    const change = {
      name: optional(input, 'name', text),
      ownerEmail: optional(input, 'owner-email', email),
      plan: optional(input, 'plan', oneOf(valuesOf(plans))),
      timeZone: optional(input, 'time-zone', text),
      suspended: suspend ? true : resume ? false : undefined,
    }
    if (Object.values(change).every(value => value === undefined))
      throw new UsageError(
        'name something to change: --name, --owner-email, --plan, --time-zone, --suspend or --resume',
      )
    const pool = await poolOf(world, tenantId)
    if (change.timeZone !== undefined) await refuseUnknown(pool, change.timeZone)
    const changed = await updateTenant(pool, { tenantId, ...change })
    if (changed === null) throw new Refused(`there is no tenant ${tenantId}`)
    if (change.suspended !== undefined || change.timeZone !== undefined) await announceKeys(changed.keys, world)
    return { json: changed.tenant, text: inWords(changed.tenant) }
  },
}

/** @throws Refused for a text that is no name of the IANA base, or that only one of the runtime and PostgreSQL knows */
async function refuseUnknown(pool: Pool, timeZone: string): Promise<void> {
  if (!isTimeZone(timeZone) || !(await isKnownZone(pool, timeZone)))
    throw new Refused(`--time-zone ${timeZone} is no time zone of the IANA base, such as Europe/Berlin`)
}

function inWords({ tenant_id, name, owner_email, plan, currency, time_zone, suspended_at }: TenantSummary): string {
  const state = suspended_at === null ? 'its keys are served' : `suspended since ${minute(suspended_at)} UTC`
  return `Tenant ${tenant_id}: ${name}, ${owner_email}, plan ${plan}, ${currency}, ${time_zone}; ${state}`
}

const columns = [
  'TENANT',
  'NAME',
  'OWNER',
  'PLAN',
  'CURRENCY',
  'TIME ZONE',
  'CLOSED THROUGH',
  'CREATED (UTC)',
  'SUSPENDED (UTC)',
] as const

const list: CliCommand = {
  words: ['tenant', 'list'],
  summary: 'List the tenants',
  options: {},
  examples: ['tenant list', 'tenant list --json'],
  run: async (_input, world) => {
    const cells = await world.cells()
    const listed = await Promise.all(cells.map(async ({ pool }) => listTenants(await pool())))
    const tenants = listed.flatMap((of, at) => of.map(tenant => ({ ...tenant, cell: cells[at]?.name ?? MAIN })))
    const rows = tenants.map(tenant => [
      tenant.tenant_id,
      tenant.name,
      tenant.owner_email,
      tenant.plan,
      tenant.currency,
      tenant.time_zone,
      tenant.closed_through,
      minute(tenant.created_at),
      minute(tenant.suspended_at),
      ...(cells.length === 1 ? [] : [tenant.cell]),
    ])
    return {
      json: { tenants },
      text:
        rows.length === 0
          ? 'There are no tenants yet: bin/millrace tenant create makes one.'
          : table([...columns, ...(cells.length === 1 ? [] : ['CELL'])], rows),
    }
  },
}

const moveCommand: CliCommand = {
  words: ['tenant', 'move'],
  summary: 'Move a tenant to another cell while it is served',
  options: {
    ...tenantOption(),
    cell: { value: 'NAME', help: 'where it is to live', required: true },
  },
  details: [
    'Its rows are copied while it writes. Its writes wait for a moment at the end, mostly less than a second, whatever its size. A move that',
    'broke off, by Ctrl-C too, loses nothing: a worker process goes on with it. --cell with the cell where the tenant lives gives the move up,',
    'until it is decided. All processes must be of this version.',
  ],
  examples: ['tenant move --tenant 1001 --cell east', 'tenant move --tenant 1001 --cell main --json'],
  changes: {
    tenant: async input => tenantOf(input),
    state: async (input, world) => ({ cell: (await cellOf(world, tenantOf(input))).name }),
  },
  run: async (input, world) => {
    const tenantId = tenantOf(input)
    const cell = required(input, 'cell', text)
    await cellNamed(world, cell)
    const { from, was, rows, pausedMs } = await move(world, { tenantId, to: cell }, words => world.progress.show(words))
    const texts = {
      moved: `Tenant ${tenantId} moved from ${from} to ${cell}: ${rows} rows.${pausedMs === null ? '' : ` Its writes paused for ${inSeconds(pausedMs)}.`}`,
      none: `Tenant ${tenantId} lives in ${cell} already.`,
      back: `Tenant ${tenantId} stays in ${cell}: its move to ${from} is given up.`,
      'copy left': `Tenant ${tenantId} stays in ${cell}: its move to ${from} is given up. What was copied there stays, since ${from} does not answer: a later move there removes it.`,
    }
    const moved = { from, cell, moved: was === 'moved', rows, paused_ms: pausedMs }
    return { json: { tenant_id: tenantId, ...moved, copy_left: was === 'copy left' }, text: texts[was] }
  },
}

export const tenantCommands: readonly CliCommand[] = [
  create,
  update,
  list,
  moveCommand,
  exportCommand,
  journalCommand,
  importCommand,
  erase,
]
