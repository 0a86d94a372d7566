/** Draws the text of terminals as an SVG picture that fits light and dark pages. It runs nothing. */

const COLUMNS = 100
const COLUMN = 8
const ROW = 18
const MARGIN = 20
const TITLE = 34
const GAP = 16

export type Terminal = { readonly title: string; readonly rows: readonly string[] }

/** Rows may hold colour codes of terminals. Rows longer than a hundred columns are cut. */
export function drawTerminals(terminals: readonly Terminal[]): string {
  const width = COLUMNS * COLUMN + 2 * MARGIN
  let y = 1
  const parts: string[] = []
  for (const { title, rows } of terminals) {
    const height = TITLE + rows.length * ROW + MARGIN
    parts.push(
      `<rect class="ground" x="1" y="${y}" width="${width - 2}" height="${height}" rx="10"/>`,
      `<text class="title" x="${width / 2}" y="${y + 21}" text-anchor="middle">${escaped(title)}</text>`,
      ...rows.map((row, n) => drawnRow(row, y + TITLE + n * ROW + 14)),
    )
    y += height + GAP
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y - GAP + 1}" role="img" aria-labelledby="title">
<title id="title">Millrace in use</title>
<style>
${STYLE.trim()}
</style>
${parts.filter(part => part !== '').join('\n')}
</svg>
`
}

/** The texts of a drawing's rows. */
export function rowsOf(svg: string): readonly string[] {
  return [...svg.matchAll(/<g>(.*?)<\/g>/g)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  )
}

/** Adjacent words of one colour are one text, stretched to its columns, since fonts differ in their widths. */
function drawnRow(row: string, y: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const pieces = row.split(/\u001b\[([\d;]*)m/)
  let colour = ''
  let column = 0
  const texts: string[] = []
  for (const [n, piece] of pieces.entries()) {
    if (n % 2 === 1) {
      colour = /^(1|3[1-6]|90)$/.test(piece) ? `c${piece}` : ''
      continue
    }
    const rest = COLUMNS - column
    const text = piece.length > rest ? `${piece.slice(0, Math.max(rest - 1, 0))}…` : piece
    const name = colour === '' ? '' : ` class="${colour}"`
    // Two spaces in a row would be drawn as one.
    for (const { 0: word, index } of text.matchAll(/\S+(?: \S+)*/g)) {
      const x = MARGIN + (column + index) * COLUMN
      texts.push(`<text${name} x="${x}" y="${y}" textLength="${word.length * COLUMN}">${escaped(word)}</text>`)
    }
    column += text.length
    if (text !== piece) break
  }
  return texts.length === 0 ? '' : `<g>${texts.join(' ')}</g>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const STYLE = `
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; fill: #24333c; }
.ground { fill: #f6f9fa; stroke: #d0dbe0; }
.title { fill: #64767f; font-size: 12px; }
.c1 { fill: #0b6a88; font-weight: 600; }
.c31 { fill: #b3261e; } .c32 { fill: #1a7f37; } .c33 { fill: #8a5a00; }
.c34 { fill: #0550ae; } .c35 { fill: #8250df; } .c36 { fill: #0b6a88; } .c90 { fill: #64767f; }
@media (prefers-color-scheme: dark) {
  text { fill: #d6e1e6; }
  .ground { fill: #0e161b; stroke: #26343d; }
  .title { fill: #93a5af; }
  .c1 { fill: #66c5de; }
  .c31 { fill: #ff8a80; } .c32 { fill: #7ee787; } .c33 { fill: #e3b341; }
  .c34 { fill: #79c0ff; } .c35 { fill: #d2a8ff; } .c36 { fill: #66c5de; } .c90 { fill: #93a5af; }
}
`
