/**
 * The reference page as a whole: header, contents, guides and endpoints, all made of the OpenAPI document. It must load
 * nothing from outside and read well without scripts.
 */
import type { OpenApiDocument } from '../../lib/openapi/types.ts'
import { BASE_PLACEHOLDER } from './code.ts'
import { endpointSection, methodBadge } from './endpoint.ts'
import { Html, html } from './html.ts'
import { markdown } from './markdown.ts'
import { type Entry, entriesOf } from './resolve.ts'

export type Assets = { readonly css: string; readonly script: string }

type Guide = { readonly id: string; readonly title: string; readonly text: string }

/** The document's description, cut at its second-level headings. */
function guidesOf(description: string): readonly Guide[] {
  return description
    .split(/^## /m)
    .filter(text => text.trim() !== '')
    .map(text => {
      const [title = '', ...rest] = text.split('\n')
      return { id: anchor(title), title, text: rest.join('\n') }
    })
}

const anchor = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export function renderPage(document: OpenApiDocument, assets: Assets): Html {
  const guides = guidesOf(document.info.description)
  const byTag = Map.groupBy(entriesOf(document), entry => entry.operation.tags[0] ?? '')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<style>${new Html(assets.css)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${header(document)}
<input type="checkbox" id="menu" class="hidden-text" aria-label="Show the contents">
${contents(guides, byTag)}
<main id="content" tabindex="-1">
${intro(document)}
${guides.map(guideSection)}
${[...byTag].map(([tag, entries]) => tagSection(document, tag, entries))}
</main>
<script>${new Html(assets.script)}</script>
</body>
</html>
`
}

function header({ info }: OpenApiDocument): Html {
  return html`<header class="top">
<label class="menu-button" for="menu"><span aria-hidden="true"></span>Contents</label>
<a class="brand" href="#content">${logo}<span>${info.title.split(' ')[0] ?? ''}</span></a>
<span class="version">v${info.version}</span>
<div class="key" hidden><label for="key">API key</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="mrk_&hellip; fills in the examples" aria-describedby="key-note"><span id="key-note" class="hidden-text">Stays in this page's memory and is gone when you leave it.</span></div>
<a class="raw" href="/openapi.json">openapi.json</a>
</header>`
}

/** A mill wheel. */
const logo = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"><circle cx="12" cy="12" r="7"/><circle cx="12" cy="12" r="1.6"/><path d="M12 2v8.4M12 13.6V22M2 12h8.4M13.6 12H22M5 5l5.9 5.9M13.1 13.1L19 19M19 5l-5.9 5.9M10.9 13.1L5 19"/></g></svg>`

function contents(guides: readonly Guide[], byTag: ReadonlyMap<string, readonly Entry[]>): Html {
  return html`<nav class="contents" aria-label="Contents">
<div class="filter" hidden><input id="filter" type="search" placeholder="Filter endpoints" aria-label="Filter endpoints by path, method, name or scope" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></div>
<p id="no-match" class="no-match" role="status" hidden>Nothing matches.</p>
<h2>Guides</h2>
<ul>${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${[...byTag].map(
  ([tag, entries]) => html`<h2><a href="#${tagAnchor(tag)}">${tag}</a></h2>
<ul>${entries.map(contentsLine)}</ul>`,
)}
</nav>`
}

function contentsLine({ method, path, operation }: Entry): Html {
  const words = `${method} ${path} ${operation.operationId} ${operation.summary} ${operation['x-required-scope'] ?? ''}`
  return html`<li data-words="${words.toLowerCase()}"><a href="#${operation.operationId}">${methodBadge(method)}<span>${operation.summary}</span></a></li>
`
}

const tagAnchor = (tag: string) => `tag-${anchor(tag)}`

function intro({ info, servers }: OpenApiDocument): Html {
  const [server] = servers
  const base = server === undefined || server.url === '/' ? BASE_PLACEHOLDER : server.url
  return html`<section class="intro"><div class="about"><h1>${info.title}</h1><p class="lead">${info.summary}</p>
<p class="address"><span>Base address</span> <code><span data-base>${base}</span></code></p></div></section>`
}

function guideSection({ id, title, text }: Guide): Html {
  return html`<section class="guide" id="${id}" aria-labelledby="${id}-title"><div class="about"><h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
${markdown(text)}</div></section>
`
}

function tagSection(document: OpenApiDocument, tag: string, entries: readonly Entry[]): Html {
  const id = tagAnchor(tag)
  return html`<section class="tag" id="${id}" aria-labelledby="${id}-title"><div class="tag-head"><h2 id="${id}-title"><a href="#${id}">${tag}</a></h2>
<ul class="overview">${entries.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodBadge(method)} <code>${path}</code></a></li>
`,
  )}</ul></div>
${entries.map(entry => endpointSection(document, entry))}
</section>`
}
