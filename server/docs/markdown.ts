/**
 * Renders the Markdown that the OpenAPI document's texts use: paragraphs, lists, tables, fenced code, **bold** and `code`.
 * It must let no other HTML through.
 */
import { codeBlock } from './code.ts'
import { Html, html } from './html.ts'

/** Text with `code` and **bold**. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(part => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`
  })
  return html`${parts}`
}

export function markdown(text: string): Html {
  const blocks = text.split(/(^```[\s\S]*?^```$)/m).flatMap(piece => {
    const fence = /^```(\w*)\n([\s\S]*?)\n?```$/.exec(piece)
    return fence ? [codeBlock(fence[2] ?? '', fence[1] ?? '')] : piece.split(/\n{2,}/).map(block)
  })
  return html`${blocks}`
}

function block(text: string): Html {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  if (lines.length === 0) return new Html('')
  if (lines.every(line => line.startsWith('- ')))
    return html`<ul>${lines.map(line => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
  return lines[0]?.startsWith('| ') ? table(lines) : html`<p>${inline(lines.join(' '))}</p>`
}

function table(lines: readonly string[]): Html {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => inline(cell.trim()))
  const [head = '', , ...rows] = lines
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${cells(head).map(cell => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${cells(row).map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
