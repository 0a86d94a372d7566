/**
 * Examples as coloured code: JSON, and curl commands whose address and key the page's script can fill in.
 */
import { escapeHtml, Html, html } from './html.ts'

/** What stands for the reader's key and the server's address until the page's script knows them. */
export const KEY_PLACEHOLDER = '$TOKEN'
export const BASE_PLACEHOLDER = 'http://127.0.0.1:3000'

const labels: Readonly<Record<string, string>> = {
  go: 'Go',
  js: 'JavaScript',
  json: 'JSON',
  python: 'Python',
  ruby: 'Ruby',
  sh: 'Shell',
  sql: 'SQL',
}

/** A block of code with its language and, where scripts run, a button that copies it. */
export function codeBlock(code: string, language: string, label = labels[language] ?? 'Text'): Html {
  const content = language === 'json' ? colouredJson(code) : withPlaceholders(code)
  return html`<figure class="code"><figcaption><span>${label}</span><button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0"><code>${content}</code></pre></figure>
`
}

function withPlaceholders(code: string): Html {
  const marked = escapeHtml(code)
    .replaceAll(KEY_PLACEHOLDER, `<span data-key>${KEY_PLACEHOLDER}</span>`)
    .replaceAll(BASE_PLACEHOLDER, `<span data-base>${BASE_PLACEHOLDER}</span>`)
  return new Html(marked)
}

function colouredJson(code: string): Html {
  const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi
  let text = ''
  let at = 0
  for (const match of code.matchAll(tokens)) {
    const [token, string, colon, word] = match
    text += escapeHtml(code.slice(at, match.index))
    const kind = string === undefined ? (word === undefined ? 'n' : 'w') : colon === undefined ? 's' : 'k'
    text += `<b class="${kind}">${escapeHtml(string ?? token)}</b>${colon ?? ''}`
    at = match.index + token.length
  }
  return new Html(text + escapeHtml(code.slice(at)))
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** `text` in single quotes for a shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
