/**
 * A process of the bench: `node:http` and `pg` alone, answering each path with the recorded statement's bytes. Prints its
 * address, then serves until it is ended.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Statement } from './recording.ts'

type Task = {
  readonly databaseUrl: string
  readonly routes: Readonly<Record<string, { readonly statement: Statement; readonly list: boolean }>>
}

const task = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Task
const pool = new pg.Pool({
  connectionString: task.databaseUrl,
  max: 10,
  // As the service's own connections (lib/platform/postgres/postgres.ts).
  options: '-c plan_cache_mode=force_generic_plan',
})
const names = new Map(Object.keys(task.routes).map((path, at) => [path, `r${at}`]))

const server = createServer((request, response) => {
  const path = request.url ?? ''
  const route = task.routes[path]
  if (!route) return void response.writeHead(404).end()
  pool.query({ name: names.get(path) ?? '', text: route.statement.sql, values: [...route.statement.values] }).then(
    ({ rows }) => {
      const documents = (rows as { document: string }[]).map(row => row.document)
      const body = route.list ? `{"data":[${documents.slice(0, 50).join(',')}],"next_cursor":""}` : (documents[0] ?? '')
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body)
    },
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
