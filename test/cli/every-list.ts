/** Every list of the API as HTTP answers it to a tenant, read to its end. */
import { endpoints } from '../../lib/nouns.ts'
import type { Loose } from '../support/command-context.ts'
import type { Client } from '../support/service.ts'

/** The lists by their path. @param asOf the time of the valuation */
export async function everyList(client: Client, asOf: string): Promise<Record<string, Loose[]>> {
  const found: Record<string, Loose[]> = {}
  for (const endpoint of endpoints) {
    if (endpoint.kind !== 'list' || endpoint.path.includes('{')) continue
    const rows: Loose[] = []
    const asked = new URLSearchParams({ limit: '200', order: 'asc' })
    if (endpoint.exampleQuery?.['as_of']) asked.set('as_of', asOf)
    do {
      const { status, body, text } = await client.get(`${endpoint.path}?${asked}`)
      if (status !== 200) throw new Error(`${endpoint.path}: ${text}`)
      rows.push(...body.data)
      asked.set('cursor', body.next_cursor)
    } while (asked.get('cursor') !== '')
    found[endpoint.path] = rows
  }
  return found
}
