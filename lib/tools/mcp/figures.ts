/** Figures exactly as the service writes them, although JavaScript's numbers have only about 15 digits. */

type Source = { readonly source?: string }

/** A decimal as a number, or as text where a number would change it. */
export function figure(text: string): number {
  // Code that calculates with it reads its text. JSON can carry both.
  return (String(Number(text)) === text ? Number(text) : text) as number
}

/** JSON with every number as a figure. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, (_name: string, value: unknown, context?: Source) =>
    typeof value === 'number' && context?.source !== undefined ? figure(context.source) : value,
  )
