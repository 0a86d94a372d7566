/**
 * The texts that every integrator needs, as the description of the OpenAPI document: Markdown files of docs/, in reading order. They
 * contain only what holds for every endpoint. The declaration of an endpoint has the rest.
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
  'guides/books',
  'guides/shops',
  'guides/errors',
  'guides/limits',
  'guides/values',
  'following',
  'webhooks',
  'guides/versioning',
] as const

export const guides: readonly Guide[] = files.map(guideOf)

/**
 * Headings of a guide go one level down, because all guides become one text. Its links to other files are removed, because they lead
 * nowhere there.
 */
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
