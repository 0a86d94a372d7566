/**
 * The texts that every integrator needs, which lead the OpenAPI document as its description: Markdown files of docs/, in the
 * order in which they are read. They tell only what holds for every endpoint; what one does stands in its declaration.
 */
import { readFileSync } from 'node:fs'

type Guide = { readonly id: string; readonly title: string; readonly markdown: string }

/** The address in the guides' commands. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000'

const files = [
  'guides/first-call',
  'guides/authentication',
  'guides/idempotency',
  'guides/lists',
  'guides/reads',
  'guides/bulk',
  'guides/conditions',
  'guides/what-would-happen',
  'guides/who-did-it',
  'guides/holds',
  'guides/shops',
  'guides/errors',
  'guides/limits',
  'guides/values',
  'following',
  'webhooks',
  'guides/versioning',
] as const

export const guides: readonly Guide[] = files.map(guideOf)

/** A guide's headings go one level down, since all guides are one text; its links to other files lead nowhere there. */
function guideOf(file: (typeof files)[number]): Guide {
  const text = readFileSync(new URL(`../../docs/${file}.md`, import.meta.url), 'utf8')
  const [, title = '', markdown = ''] = /^# (.*)\n+([\s\S]*)$/.exec(text) ?? []
  return {
    id: file.replace('guides/', ''),
    title,
    markdown: markdown
      .replaceAll(/^## /gm, '### ')
      .replaceAll(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, '$1')
      .trim(),
  }
}

/** All guides as one Markdown text. */
export function guidesAsMarkdown(): string {
  return guides.map(({ title, markdown }) => `## ${title}\n\n${markdown}`).join('\n\n')
}
