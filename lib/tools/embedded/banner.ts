/** The text at the end of `npm start`: the service's address, a key, and a first call that works. */
import type { Demo } from './demo-file.ts'

const API = '/api/external/v1'

/** The lines of the banner. Without a demo tenant (outside services) they say how to make a key. */
export function banner(options: {
  baseUrl: string
  adminUrl: string
  dataFolder: string
  demo: Demo | null
  /** The folder that mails are written to; null when a mail server takes them. */
  mailFolder: string | null
}): string[] {
  const { baseUrl, adminUrl, dataFolder, demo, mailFolder } = options
  const addresses = [
    '',
    'Millrace is ready.',
    '',
    `  API        ${baseUrl}${API}`,
    `  Reference  ${baseUrl}/docs`,
    `  Portal     ${baseUrl}/portal (for people: paste a key there)`,
    `  Operators  ${adminUrl} (metrics, queues)`,
    ...(mailFolder === null ? [] : [`  Mails      ${mailFolder} (files, since SMTP_URL is not set)`]),
  ]
  if (demo === null) {
    return [
      ...addresses,
      '',
      'Make a tenant and a key:',
      '',
      '  bin/millrace tenant create --name Acme --owner-email owner@example.com',
      '  bin/millrace key issue --tenant TENANT_ID',
      '',
    ]
  }
  const authorization = `-H 'Authorization: Bearer ${demo.token}'`
  return [
    ...addresses,
    `  Key        ${demo.token} (also in ${dataFolder}/demo.json)`,
    '',
    'A first read, and a first write:',
    '',
    `  curl ${baseUrl}${API}/storage-places ${authorization}`,
    '',
    `  curl ${baseUrl}${API}/products ${authorization} \\`,
    `    -H 'Content-Type: application/json' -H 'Idempotency-Key: first-product' -d '{"title": "Oak table"}'`,
    '',
    'Ctrl-C stops everything; the data stays.',
    '',
  ]
}
