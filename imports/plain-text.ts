/** Texts of shops without their HTML. Pure. */

const LINE_ENDS = /<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b[^<>]*>/gi
const TAGS = /<[a-z/!][^<>]*>/gi
const ENTITIES = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a text of HTML, in its lines. */
export const plainText = (html: string): string =>
  html
    .replace(LINE_ENDS, '\n')
    .replace(TAGS, '')
    .replace(ENTITIES, (entity, decimal?: string, hex?: string, name = '') => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      if (Number.isNaN(code)) return named[name.toLowerCase()] ?? entity
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
    })
    .split('\n')
    .map(line => line.trim())
    .filter((line, at, lines) => line !== '' || lines[at - 1] !== '')
    .join('\n')
    .trim()
