/**
 * `demo`: another filled demo tenant in the running service.
 */

import { sendOver } from '../demo/client.ts'
import { fillDemo } from '../demo/data.ts'
import { createDemo } from '../demo/tenant.ts'
import { madeTenant } from './changes.ts'
import type { CliCommand } from './command.ts'
import { baseUrlOption, runningService } from './running-service.ts'

const demo: CliCommand = {
  words: ['demo'],
  summary: 'Make a demo tenant with goods, orders and stock, and a key for it',
  options: baseUrlOption,
  changes: { made: madeTenant },
  examples: ['demo', 'demo --base-url http://127.0.0.1:3000 --json'],
  run: async (input, world) => {
    // Checked first: if the service is away, a tenant without goods would be left.
    const baseUrl = await runningService(input, world)
    const { tenantId, token } = await createDemo(await world.databaseUrl())
    await fillDemo(sendOver(baseUrl, token), world.warn)
    return {
      json: { base_url: baseUrl, tenant_id: tenantId, token },
      text: [
        `Demo tenant ${tenantId}, a coffee roastery with suppliers, stock, recipes, customers and orders. Its key:`,
        `\n  ${token}\n`,
        `curl -H 'Authorization: Bearer ${token}' ${baseUrl}/api/external/v1/stock`,
      ].join('\n'),
    }
  },
}

export const demoCommands: readonly CliCommand[] = [demo]
