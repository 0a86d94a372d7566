/**
 * `key issue`, `key list`, `key revoke` and `key rotate`. A token is printed once, when it is made.
 */
import { defaultLimits, issueKey, listKeys, revokeKey, rotateKey } from '../access/keys.ts'
import { ALL_SCOPES, parseScopes, scopes } from '../access/scopes.ts'
import { tenantExists } from '../access/tenants.ts'
import { announceKeys } from './announce-keys.ts'
import { type CliCommand, Refused, UsageError } from './command.ts'
import { minute, table } from './table.ts'
import { id, moment, optional, type Reader, required, text, whole } from './values.ts'

/** Within these, the rate's arithmetic in whole microseconds is exact to less than a percent. */
const RATE_MAX = 1_000_000
const DOCUMENTS_MAX = 1_000_000_000
const OVERLAP_SECONDS_MAX = 366 * 86_400
const OVERLAP_SECONDS_DEFAULT = 86_400

const scopeList: Reader<readonly string[]> = (typed, label) => {
  const read = parseScopes(typed)
  if ('scopes' in read) return read.scopes
  throw new UsageError(`${label}: ${read.unknown} is no scope; the scopes are ${ALL_SCOPES} or of ${scopes.join(', ')}`)
}

const issue: CliCommand = {
  words: ['key', 'issue'],
  summary: 'Issue an API key; its token is shown once',
  options: {
    tenant: { value: 'ID', help: 'whose key it is', required: true },
    name: { value: 'NAME', help: 'what the key is for (default "API key")' },
    user: { value: 'NAME', help: "the user whom its changes name (default the tenant's owner)" },
    scopes: { value: 'all|S1,S2', help: 'what it may do (default all)' },
    'rate-per-minute': { value: 'N', help: `requests a minute (default ${defaultLimits.ratePerMinute})` },
    burst: { value: 'N', help: `requests at once (default ${defaultLimits.burst})` },
    'daily-documents': { value: 'N', help: `documents per UTC day (default ${defaultLimits.dailyDocuments})` },
    'expires-at': { value: 'TIME', help: 'ISO-8601 date or timestamp (default never)' },
  },
  examples: [
    'key issue --tenant 1001 --name "Marketplace sync"',
    'key issue --tenant 1001 --scopes read:stock,write:sales.order.create --user jane --json',
    'key issue --tenant 1001 --rate-per-minute 6000 --burst 500 --expires-at 2027-01-01',
  ],
  run: async (input, world) => {
    const tenantId = required(input, 'tenant', id)
    const expiresAt = optional(input, 'expires-at', moment)
    const key = await issueKey(await world.pool(), {
      tenantId,
      name: optional(input, 'name', text) ?? 'API key',
      userName: optional(input, 'user', text),
      scopes: optional(input, 'scopes', scopeList) ?? scopes,
      ratePerMinute: optional(input, 'rate-per-minute', whole(1, RATE_MAX)) ?? defaultLimits.ratePerMinute,
      burst: optional(input, 'burst', whole(1, RATE_MAX)) ?? defaultLimits.burst,
      dailyDocuments: optional(input, 'daily-documents', whole(0, DOCUMENTS_MAX)) ?? defaultLimits.dailyDocuments,
      expiresAt,
    })
    if (key === null) throw new Refused(`there is no tenant ${tenantId}`)
    if (expiresAt !== undefined && Date.parse(expiresAt) <= world.now.getTime())
      world.warn(`the key has expired already, at ${expiresAt}`)
    return { json: { key_id: key.keyId, token: key.token }, text: shownOnce(`Key ${key.keyId}`, key.token) }
  },
}

const list: CliCommand = {
  words: ['key', 'list'],
  summary: 'List the keys of a tenant with their last use, without their tokens',
  options: { tenant: { value: 'ID', help: 'whose keys', required: true } },
  examples: ['key list --tenant 1001'],
  run: async (input, world) => {
    const tenantId = required(input, 'tenant', id)
    const pool = await world.pool()
    if (!(await tenantExists(pool, tenantId))) throw new Refused(`there is no tenant ${tenantId}`)
    const keys = (await listKeys(pool, tenantId)).map(key => ({ ...key, scopes: JSON.parse(key.scopes) as string[] }))
    const rows = keys.map(key => [
      key.key_id,
      key.name,
      key.user_name,
      key.status,
      key.rate_per_minute,
      key.burst,
      key.daily_documents,
      minute(key.created_at),
      minute(key.expires_at),
      minute(key.last_used_at),
      key.scopes.length === scopes.length ? ALL_SCOPES : key.scopes.join(','),
    ])
    const headings = [
      'KEY',
      'NAME',
      'USER',
      'STATUS',
      'RATE/MIN',
      'BURST',
      'DOCS/DAY',
      'CREATED (UTC)',
      'EXPIRES (UTC)',
      'LAST USE (UTC)',
    ]
    return {
      json: { keys },
      text: rows.length === 0 ? `Tenant ${tenantId} has no keys.` : table([...headings, 'SCOPES'], rows),
    }
  },
}

const revoke: CliCommand = {
  words: ['key', 'revoke'],
  summary: 'Revoke a key for good; within five seconds no server takes it',
  argument: { name: 'ID', help: 'the key, as key list shows it' },
  options: {},
  examples: ['key revoke 1003'],
  run: async (input, world) => {
    const keyId = id(input.argument, 'ID')
    const change = await revokeKey(await world.pool(), keyId)
    if (change === null) throw new Refused(`there is no key ${keyId}`)
    await announceKeys([change], world)
    return { json: { key_id: keyId, revoked: true }, text: `Key ${keyId} is revoked.` }
  },
}

const rotate: CliCommand = {
  words: ['key', 'rotate'],
  summary: 'Put a new key beside an old one, which ends after an overlap',
  argument: { name: 'ID', help: 'the old key; the new one has its name, user, scopes, limits and quota' },
  options: {
    'overlap-seconds': {
      value: 'S',
      help: `how long the old key stays valid (default ${OVERLAP_SECONDS_DEFAULT}, 0 ends it now)`,
    },
    'expires-at': { value: 'TIME', help: 'when the new key ends: ISO-8601 date or timestamp (default never)' },
  },
  examples: ['key rotate 1003', 'key rotate 1003 --overlap-seconds 3600 --json'],
  run: async (input, world) => {
    const keyId = id(input.argument, 'ID')
    const overlapSeconds = optional(input, 'overlap-seconds', whole(0, OVERLAP_SECONDS_MAX)) ?? OVERLAP_SECONDS_DEFAULT
    const made = await rotateKey(await world.pool(), {
      keyId,
      overlapSeconds,
      expiresAt: optional(input, 'expires-at', moment),
    })
    if (made === null) throw new Refused(`there is no valid key ${keyId} (a revoked or expired one cannot be rotated)`)
    await announceKeys([made], world)
    const ending = `Key ${keyId} stays valid for at most ${overlapSeconds} s more. Key ${made.keyId}`
    return { json: { key_id: made.keyId, token: made.token }, text: shownOnce(ending, made.token) }
  },
}

function shownOnce(what: string, token: string): string {
  return `${what}:\n\n  ${token}\n\nKeep it now; it is shown this once.`
}

export const keyCommands: readonly CliCommand[] = [issue, list, revoke, rotate]
