/**
 * Runs the commands of the README and of the pages in docs/ through prism, a proxy that checks every request and every answer against the
 * OpenAPI document (`npm run prism`, which downloads prism the first time). Prints the violations and ends with 1 if there are any.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_PREFIX } from '../../lib/kit/api/endpoint.ts'
import { freePort } from '../../lib/tools/embedded/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { npmStart } from '../support/npm-start.ts'
import { temporaryFolder } from '../support/servers.ts'
import { blocksOf, outputsOf } from './worked-examples.ts'

const PRISM = '@stoplight/prism-cli@5.16.0'

/** docs/following.md is left out: its stream never ends, and prism waits for the end of every answer. */
const pages = ['README.md', 'docs/tour.md', 'docs/safe-writes.md', 'docs/many-records.md', 'docs/webhooks.md']

const root = fileURLToPath(new URL('../..', import.meta.url))
const dataFolder = await temporaryFolder()
const service = npmStart({ dataFolder })
const { base_url: upstream } = await service.ready()
const prism = await startPrism(upstream)
try {
  const demo = JSON.parse(await readFile(join(dataFolder, 'demo.json'), 'utf8'))
  const proxied = join(await temporaryFolder(), 'demo.json')
  await writeFile(proxied, JSON.stringify({ ...demo, base_url: prism.url }))
  const change = (script: string) =>
    script
      .replaceAll('./.millrace/demo.json', proxied)
      .replaceAll('./.millrace/', `${dataFolder}/`)
      .replaceAll('http://127.0.0.1:3000', prism.url)
  const env = { MILLRACE_DATA: dataFolder, API: `${prism.url}${API_PREFIX}`, TOKEN: demo.token }
  for (const page of pages) {
    const blocks = blocksOf(await readFile(join(root, page), 'utf8')).filter(({ input }) => input !== 'npm start\n')
    // readme.test.ts checks what the commands print. Here it differs: the proxy writes header names in lower case.
    await outputsOf(blocks, { folder: root, env, change })
    console.log(`${page}: ${blocks.length} blocks`)
  }
  // A faulty request, which prism must report: this shows that no report means no violation.
  const faulty = { method: 'POST', body: '{"titel":""}', headers: { 'content-type': 'application/json' } }
  const before = prism.violations()
  await fetch(`${prism.url}${API_PREFIX}/products`, faulty)
  await eventually(() => prism.violations().length > before.length)
  for (const violation of before) console.error(violation)
  console.log(`${before.length} violations`)
  process.exitCode = before.length > 0 ? 1 : 0
} finally {
  await prism.stop()
  await service.stop()
}

async function startPrism(to: string) {
  const port = await freePort()
  const document = join(root, 'lib/openapi/openapi.json')
  const where = ['-h', '127.0.0.1', '-p', String(port)]
  const child = spawn('npx', ['--yes', PRISM, 'proxy', document, to, ...where], {
    detached: true,
    env: { ...process.env, SCARF_ANALYTICS: 'false' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const ended = once(child, 'close')
  await eventually(() => /listening/i.test(output))
  return {
    url: `http://127.0.0.1:${port}`,
    violations: () => output.split('\n').filter(line => /violation/i.test(line)),
    stop: async () => {
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}
