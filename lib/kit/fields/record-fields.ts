/**
 * The fields that every record with an `external_ref` has: metadata, and who made and last changed the record (docs/rules/documents.md).
 * Nouns spread these fields; the unit of work sets the user.
 */
import type { Column } from './field.ts'
import { metadata, text } from './kinds.ts'

/** The user's name of the key of the command. `Work.make` and `Work.change` set it. */
const user = (words: string): Column<string | null> & { readonly isStamped: true } => ({
  ...text()
    .words(`${words}; null for a key issued without a name, and for what was before the service kept it`)
    .orNull(),
  isStamped: true,
})

export const recordFields = {
  metadata: metadata().default({}).writable(),
  created_by_user_name: user('the user named by the key that made it'),
  updated_by_user_name: user('the user named by the key that last changed it, or else made it'),
}
