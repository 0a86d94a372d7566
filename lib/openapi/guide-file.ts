/**
 * Guides that are files of docs/, for the reference page and the OpenAPI document, whose Markdown knows no headings below a
 * guide's and no links.
 */
import { readFileSync } from 'node:fs'

/** The guide `docs/<name>.md` without its title; sections begin with a bold line. */
export function guideFile(name: 'following' | 'webhooks'): string {
  const text = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
  return text
    .replace(/^# .*\n+/, '')
    .replaceAll(/^## (.*)$/gm, '**$1**')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .trim()
}
