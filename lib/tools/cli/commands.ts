/** The list of all commands, in the order of the help. */
import { auditCommands } from './audit.ts'
import { backupCommands } from './backup.ts'
import { cellCommands } from './cell.ts'
import type { CliCommand } from './command.ts'
import { demoCommands } from './demo.ts'
import { doctorCommands } from './doctor.ts'
import { importCommands } from './import.ts'
import { keyCommands } from './key.ts'
import { listenCommands } from './listen.ts'
import { mcpCommands } from './mcp.ts'
import { migrateCommands } from './migrate.ts'
import { periodCommands } from './period.ts'
import { reconcileCommands } from './reconcile.ts'
import { settingsCommands } from './settings.ts'
import { tenantCommands } from './tenant.ts'
import { triggerCommands } from './trigger.ts'
import { webhookCommands } from './webhook.ts'

export const commands: readonly CliCommand[] = [
  ...migrateCommands,
  ...cellCommands,
  ...tenantCommands,
  ...keyCommands,
  ...periodCommands,
  ...webhookCommands,
  ...settingsCommands,
  ...reconcileCommands,
  ...backupCommands,
  ...auditCommands,
  ...doctorCommands,
  ...importCommands,
  ...demoCommands,
  ...listenCommands,
  ...triggerCommands,
  ...mcpCommands,
]
