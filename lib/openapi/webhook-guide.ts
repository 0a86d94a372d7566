/**
 * The receivers' guide (docs/webhooks.md) for the reference page and the OpenAPI document, whose Markdown knows no headings
 * below a guide's and no links.
 */
import { readFileSync } from 'node:fs'

/** The guide without its title; sections begin with a bold line. */
export function webhookGuide(): string {
  const text = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  return text
    .replace(/^# .*\n+/, '')
    .replaceAll(/^## (.*)$/gm, '**$1**')
    .replaceAll(/\[([^\]]+)\]\(https?:[^)]+\)/g, '$1')
    .trim()
}
