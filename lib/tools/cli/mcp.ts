/** `mcp`: serves the tools of lib/tools/mcp on standard input and output, for an assistant that a user runs. */
import { VERSION } from '../../platform/version.ts'
import type { CliCommand } from './command.ts'
import { baseUrlOption, calledService } from './running-service.ts'

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
    const service = await calledService(input, world)
    // Only this command loads the packages of the protocol.
    const { serveMcp } = await import('../mcp/serve.ts')
    await serveMcp({ ...service, version: VERSION, log: world.warn })
    return { json: {}, text: '' }
  },
}

export const mcpCommands: readonly CliCommand[] = [mcp]
