/**
 * `key issue`, `key list`, `key update`, `key revoke` and `key rotate`. A token is printed once, when it is made.
 */

import { type KeySummary, listKeys } from '../../access/key-summaries.ts'
import {
  BURST_MAX,
  DOCUMENTS_MAX,
  defaultLimits,
  type KeyOwner,
  RATE_MAX,
  revokeKey,
  updateKey,
} from '../../access/keys.ts'
import { ALL_SCOPES, parseScopes } from '../../access/scopes.ts'
import { tenantExists } from '../../access/tenants.ts'
import { scopes } from '../../nouns.ts'
import { announceKeys } from './announce-keys.ts'
import { ofKey } from './changes.ts'
import { type CliCommand, type Input, Refused, UsageError } from './command.ts'
import { issueKeyOf, poolOf, poolOfKey, rotateKeyOf } from './in-cells.ts'
import { minute, table } from './table.ts'
import { tenantOf, tenantOption } from './tenant-option.ts'
import { id, moment, optional, type Reader, text, whole } from './values.ts'

const OVERLAP_SECONDS_MAX = 366 * 86_400
const OVERLAP_SECONDS_DEFAULT = 86_400

const scopeList: Reader<readonly string[]> = (typed, label) => {
  const read = parseScopes(typed, scopes)
  if ('scopes' in read) return read.scopes
  throw new UsageError(`${label}: ${read.unknown} is no scope; the scopes are ${ALL_SCOPES} or of ${scopes.join(', ')}`)
}

/** The permissions and limits of a key that the input names. */
const limitsOf = (input: Input) => ({
  scopes: optional(input, 'scopes', scopeList),
  ratePerMinute: optional(input, 'rate-per-minute', whole(1, RATE_MAX)),
  burst: optional(input, 'burst', whole(1, BURST_MAX)),
  dailyDocuments: optional(input, 'daily-documents', whole(0, DOCUMENTS_MAX)),
})

const momentOrNever: Reader<string | null> = (typed, label) => (typed === 'never' ? null : moment(typed, label))

const issue: CliCommand = {
  words: ['key', 'issue'],
  summary: 'Issue an API key; its token is shown once',
  options: {
    ...tenantOption('whose key it is'),
    name: { value: 'NAME', help: 'what the key is for (default "API key")' },
    user: { value: 'NAME', help: 'the user whom its changes name (default nobody)' },
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
  changes: { tenant: async input => tenantOf(input) },
  run: async (input, world) => {
    const tenantId = tenantOf(input)
    const expiresAt = optional(input, 'expires-at', moment)
    const given = limitsOf(input)
    const key = await issueKeyOf(world, {
      tenantId,
      name: optional(input, 'name', text) ?? 'API key',
      userName: optional(input, 'user', text),
      scopes: given.scopes ?? scopes,
      ratePerMinute: given.ratePerMinute ?? defaultLimits.ratePerMinute,
      burst: given.burst ?? defaultLimits.burst,
      dailyDocuments: given.dailyDocuments ?? defaultLimits.dailyDocuments,
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
  options: tenantOption('whose keys'),
  examples: ['key list --tenant 1001'],
  run: async (input, world) => {
    const tenantId = tenantOf(input)
    const pool = await poolOf(world, tenantId)
    if (!(await tenantExists(pool, tenantId))) throw new Refused(`there is no tenant ${tenantId}`)
    const keys = await listKeys(pool, tenantId)
    return {
      json: { keys: keys.map(shown) },
      text: keys.length === 0 ? `Tenant ${tenantId} has no keys.` : keyTable(keys),
    }
  },
}

const shown = ({ is_unnamed: _, ...key }: KeySummary) => ({ ...key, scopes: JSON.parse(key.scopes) as string[] })

function keyTable(keys: readonly KeySummary[]): string {
  const headings = ['KEY', 'NAME', 'USER', 'STATUS', 'RATE/MIN', 'BURST', 'DOCS/DAY']
  const times = ['CREATED (UTC)', 'EXPIRES (UTC)', 'LAST USE (UTC)']
  const cells = keys
    .map(shown)
    .map(key => [
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
  return table([...headings, ...times, 'SCOPES'], cells)
}

const update: CliCommand = {
  words: ['key', 'update'],
  summary: 'Change a key; what is not named stays, and within five seconds every server knows',
  argument: { name: 'ID', help: 'the key, as key list shows it; a rotated one and its successor are two' },
  options: {
    name: { value: 'NAME', help: 'what the key is for' },
    user: { value: 'NAME', help: 'the user whom its changes name' },
    scopes: { value: 'all|S1,S2', help: 'what it may do, all of it: scopes that are not named go' },
    'rate-per-minute': { value: 'N', help: 'requests a minute' },
    burst: { value: 'N', help: 'requests at once' },
    'daily-documents': {
      value: 'N',
      help: 'documents per UTC day; rotated keys share it, so it changes for all of them',
    },
    'expires-at': { value: 'TIME|never', help: 'ISO-8601 date or timestamp; a later one revives an expired key' },
  },
  examples: [
    'key update 1003 --rate-per-minute 6000 --burst 500',
    'key update 1003 --scopes read:stock,read:sales --expires-at 2027-01-01',
    'key update 1003 --expires-at never --json',
  ],
  changes: ofKey,
  run: async (input, world) => {
    const keyId = id(input.argument, 'ID')
    const change = {
      name: optional(input, 'name', text),
      userName: optional(input, 'user', text),
      ...limitsOf(input),
      expiresAt: optional(input, 'expires-at', momentOrNever),
    }
    if (Object.values(change).every(value => value === undefined))
      throw new UsageError(`name something to change: --${Object.keys(update.options).join(', --')}`)
    const updated = await updateKey(await poolOfKey(world, keyId), { keyId, ...change })
    if (updated === null) throw new Refused(`there is no key ${keyId}`)
    if ('revokedAt' in updated)
      throw new Refused(`${inWords(updated)} was revoked at ${minute(updated.revokedAt)} UTC, which is for good`)
    await announceKeys(updated.changes, world)
    const { owner, key, sameQuota } = updated
    if (key.status === 'expired') world.warn(`the key has expired, at ${key.expires_at}`)
    const shared = `\n\nThe daily documents are those of key ${sameQuota.join(', ')} too: one quota for rotated keys.`
    return {
      json: { tenant_id: owner.tenantId, ...shown(key), same_quota: sameQuota },
      text: `${inWords(owner)} is changed.\n\n${keyTable([key])}${sameQuota.length === 0 ? '' : shared}`,
    }
  },
}

/** `Key 1003 (Marketplace sync) of tenant 1001 (Acme)` */
const inWords = ({ keyId, name, tenantId, tenantName }: KeyOwner): string =>
  `Key ${keyId} (${name}) of tenant ${tenantId} (${tenantName})`

const revoke: CliCommand = {
  words: ['key', 'revoke'],
  summary: 'Revoke a key for good; within five seconds no server takes it',
  argument: { name: 'ID', help: 'the key, as key list shows it' },
  options: {},
  examples: ['key revoke 1003'],
  changes: ofKey,
  run: async (input, world) => {
    const keyId = id(input.argument, 'ID')
    const revoked = await revokeKey(await poolOfKey(world, keyId), keyId)
    if (revoked === null) throw new Refused(`there is no key ${keyId}`)
    await announceKeys([revoked], world)
    const { tenantId, name, revokedAt, wasRevoked } = revoked
    const state = wasRevoked ? `was revoked already, at ${minute(revokedAt)} UTC` : 'is revoked'
    return {
      json: { key_id: keyId, tenant_id: tenantId, name, revoked: true, revoked_at: revokedAt, was_revoked: wasRevoked },
      text: `${inWords(revoked)} ${state}.`,
    }
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
  changes: ofKey,
  run: async (input, world) => {
    const keyId = id(input.argument, 'ID')
    const overlapSeconds = optional(input, 'overlap-seconds', whole(0, OVERLAP_SECONDS_MAX)) ?? OVERLAP_SECONDS_DEFAULT
    const made = await rotateKeyOf(world, {
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

export const keyCommands: readonly CliCommand[] = [issue, list, update, revoke, rotate]
