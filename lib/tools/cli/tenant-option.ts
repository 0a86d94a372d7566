/** How every command names a tenant: `--tenant ID`. */
import { type Input, type Option, UsageError } from './command.ts'
import { id, optional } from './values.ts'

/** The option of a command that needs a tenant. `help` says what the command does with the tenant. */
export const tenantOption = (help = 'the tenant, as tenant list shows it') =>
  ({ tenant: { value: 'ID', help, required: true } }) as const satisfies Record<string, Option>

/** The option of a command that may run without a tenant. */
export const optionalTenant = (help: string) =>
  ({ tenant: { value: 'ID', help } }) as const satisfies Record<string, Option>

/** The named tenant, or undefined. @throws UsageError where it is no id */
export const tenantIn = (input: Input): string | undefined => optional(input, 'tenant', id)

/** The tenant of a command that needs one. @throws UsageError where none is named, or it is no id */
export function tenantOf(input: Input): string {
  const tenantId = tenantIn(input)
  if (tenantId === undefined) throw new UsageError('--tenant is required')
  return tenantId
}

/** For commands that used to take the id as their argument: they still accept it instead of the option. */
export const tenantByItself = {
  argument: { name: 'ID', help: 'the tenant too, instead of --tenant', optional: true },
  options: optionalTenant('the tenant, as tenant list shows it'),
} as const

/** The tenant of a command with `tenantByItself`. @throws UsageError where no tenant or two are named, or it is no id */
export function tenantByItselfOf(input: Input): string {
  if (input.argument === '') return tenantOf(input)
  if (input.options['tenant'] !== undefined) throw new UsageError('name the tenant once: --tenant ID')
  return id(input.argument, 'ID')
}
