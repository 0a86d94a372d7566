/**
 * `mcp`: serves the tools of lib/tools/mcp on standard input and output, for an assistant that a user runs.
 */
import millrace from '../../../package.json' with { type: 'json' }
import { isWellFormed } from '../../access/token.ts'
import { readDemo } from '../embedded/demo-file.ts'
import { type CliCommand, type Input, Refused, type World } from './command.ts'
import { baseUrlOption, httpAddress } from './running-service.ts'
import { optional } from './values.ts'

const mcp: CliCommand = {
  words: ['mcp'],
  summary: 'Serve questions and drafts to an AI assistant over the Model Context Protocol (docs/mcp.md)',
  options: baseUrlOption,
  speaksProtocol: true,
  details: [
    'It takes the API key from MILLRACE_TOKEN and the address from --base-url or MILLRACE_URL; without both it serves the demo',
    'tenant of the service that npm start runs here. What it may do is what the key may do. It ends with its standard input.',
  ],
  examples: ['mcp', 'mcp --base-url https://millrace.example.com'],
  run: async (input, world) => {
    const service = await serviceOf(input, world)
    // The protocol's packages are loaded for this command alone.
    const { serveMcp } = await import('../mcp/serve.ts')
    await serveMcp({ ...service, version: millrace.version, log: world.warn })
    return { json: {}, text: '' }
  },
}

/** Never the demo's key for another service: it is taken only with the address beside it. */
async function serviceOf(input: Input, world: World): Promise<{ baseUrl: string; token: string }> {
  const { url, token } = world.caller
  const named =
    optional(input, 'base-url', httpAddress) ?? (url === undefined ? undefined : httpAddress(url, 'MILLRACE_URL'))
  const baseUrl = named ?? (await world.baseUrl())
  if (baseUrl === null) throw new Refused('no service runs here: start it with npm start, or set MILLRACE_URL')
  if (token !== undefined) {
    if (!isWellFormed(token))
      throw new Refused('MILLRACE_TOKEN is no API key: one begins with mrk_, and bin/millrace key issue makes it')
    return { baseUrl, token }
  }
  const demo = named === undefined ? await readDemo(world.dataFolder) : null
  if (demo === null) throw new Refused('no API key: set MILLRACE_TOKEN (bin/millrace key issue makes one)')
  return { baseUrl, token: demo.token }
}

export const mcpCommands: readonly CliCommand[] = [mcp]
