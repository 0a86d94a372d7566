/** What a check of `reconcile` is. */
import type { Fragment } from '../../platform/postgres/postgres.ts'

/** `faultRows` selects `tenant_id, subject, expected, found`: one row per fault, none when all is correct. */
export type Check = { readonly name: string; readonly faultRows: Fragment }
