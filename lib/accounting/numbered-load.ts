/**
 * Finds the number of a new document while loading what it needs. It must not write; the number is used up when the command
 * succeeds (contract 1, "Document numbers").
 */
import type { CommandContext } from '../api/endpoint.ts'
import type { DocumentKind } from '../store/document-number.ts'
import { skipTaken } from './skip-taken.ts'

/**
 * Loads with the caller's number, or with the next counted one that is not taken: the load query says whether its number
 * is. Where callers chose the next ones earlier, it runs once more, with the first that is free.
 */
export async function loadNumbered<Loaded>(
  context: CommandContext,
  wish: {
    readonly kind: DocumentKind
    /** The caller's own number; null: the next counted one. */
    readonly given: string | null
    readonly load: (number: string) => Promise<Loaded>
    readonly isTaken: (loaded: Loaded) => boolean
  },
): Promise<{ readonly number: string; readonly loaded: Loaded }> {
  for (;;) {
    const number = wish.given ?? context.numbers.take(wish.kind)
    const loaded = await wish.load(number)
    if (wish.given !== null || !wish.isTaken(loaded)) return { number, loaded }
    await skipTaken(context, wish.kind)
  }
}
