/**
 * Owns a command worker and commands for tests of the pipeline itself, below HTTP: a tenant, endpoints that count or fail on
 * purpose, and a way to send and await.
 */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { type CommandEndpoint, defineCommand, type Endpoint } from '../../lib/api/endpoint.ts'
import { invalid } from '../../lib/api/errors.ts'
import { optional, shape, text } from '../../lib/api/fields.ts'
import { loadConfig } from '../../lib/config.ts'
import type { Command } from '../../lib/pipeline/command.ts'
import { type Pool, rows, statement } from '../../lib/postgres/postgres.ts'

/** Appends its text to the tenant's notes: what ran, in which order, how often. */
export const noteEndpoint = defineCommand({
  id: 'addNote',
  method: 'POST',
  path: '/notes',
  tag: 'Test',
  scope: 'write:test',
  summary: 'Adds a note',
  refusals: [],
  body: shape({ text: text(), behave: optional(text()) }),
  success: 201,
  countsAsDocument: true,
  execute: async (context, { body }) => {
    if (body.behave === 'refuse') return invalid('text', 'is refused on purpose')
    const note = await context.connection.one(rows(v.object({ id: v.string() }))`
      insert into notes (tenant_id, text) values (${context.tenant.id}, ${body.text}) returning id`)
    if (body.behave === 'throw') throw new Error('a bug, on purpose')
    context.emit({ type: 'note.added', data: JSON.stringify({ id: note.id, text: body.text }), previous: null })
    return {
      body: JSON.stringify({ id: note.id, text: body.text, after: context.lastEventSequence }),
    }
  },
}) as CommandEndpoint & Endpoint

export const testEndpoints: readonly Endpoint[] = [noteEndpoint]

/** The table that `addNote` writes. */
export async function createNotesTable(pool: Pool): Promise<void> {
  await pool.query(
    statement`create table notes (tenant_id bigint not null, id bigint primary key default nextval('ids'), text text not null)`,
  )
}

/** A tenant of its own for a test. */
export async function createNotesTenant(pool: Pool): Promise<string> {
  const { tenant_id } = await pool.one(rows(v.object({ tenant_id: v.string() }))`
    with made as (insert into tenants (name, owner_email, plan) values ('Test', 'owner@test.example', 'pro') returning tenant_id)
    insert into tenant_streams (tenant_id) select tenant_id from made returning tenant_id`)
  return tenant_id
}

export async function notesOf(pool: Pool, tenantId: string): Promise<string[]> {
  return (
    await pool.any(
      rows(v.object({ text: v.string() }))`select text from notes where tenant_id = ${tenantId} order by id`,
    )
  ).map(row => row.text)
}

/** A command for `addNote`; what is not said is new. */
export function noteCommand(
  tenantId: string,
  replyTo: string,
  note: string,
  given: Partial<Command> & { behave?: string } = {},
): Command {
  const { behave, ...rest } = given
  return {
    requestId: `req_${randomBytes(8).toString('hex')}`,
    tenantId,
    endpoint: 'addNote',
    actor: { keyId: '1', userName: 'Tester' },
    idempotencyKey: randomBytes(8).toString('hex'),
    fingerprint: Buffer.from(note).toString('hex').padEnd(64, '0').slice(0, 64),
    params: {},
    body: { text: note, ...(behave ? { behave } : {}) },
    replyTo,
    quota: null,
    acceptedAt: Date.now(),
    ...rest,
  }
}

/** Settings for a test's services. */
export function testConfig(services: { databaseUrl: string; redisUrl: string }, env: Record<string, string> = {}) {
  return loadConfig({
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    WEBHOOK_SECRET_KEY: 'a'.repeat(64),
    ...env,
  })
}
