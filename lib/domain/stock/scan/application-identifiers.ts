/**
 * The GS1 Application Identifiers and the lengths of their data (GS1 General Specifications, "GS1 Application Identifiers in numerical
 * order"). Data only.
 */

/**
 * `[identifiers, length of the data]`: `253 13..30` has 13 to 30 characters. `310-316` have four digits, of which the last is any digit.
 */
const LENGTHS = `
00 18, 01-03 14, 10 1..20, 11-13 6, 15-17 6, 20 2, 21 1..20, 22 1..20, 235 1..28, 240 1..30, 241 1..30, 242 1..6, 243 1..20, 250 1..30,
251 1..30, 253 13..30, 254 1..20, 255 13..25, 30 1..8, 37 1..8, 400 1..30, 401 1..30, 402 17, 403 1..30, 410-417 13, 420 1..20, 421 4..12,
422 3, 423 3..15, 424 3, 425 3..15, 426 3, 427 1..3, 4300 1..35, 4301 1..35, 4302-4306 1..70, 4307 2, 4308 1..30, 4309 20, 4310 1..35,
4311 1..35, 4312-4316 1..70, 4317 2, 4318 1..20, 4319 1..30, 4320 1..35, 4321-4323 1, 4324 10, 4325 10, 4326 6, 4330-4333 6..7, 7001 13,
7002 1..30, 7003 10, 7004 1..4, 7005 1..12, 7006 6, 7007 6..12, 7008 1..3, 7009 1..10, 7010 1..2, 7011 6..10, 7020-7022 1..20, 7023 1..30,
7030-7039 4..30, 7040 4, 7041 1..4, 710-717 1..20, 7230-7239 3..30, 7240 1..20, 7241 2, 7242 1..25, 7250 8, 7251 12, 7252 1, 7253 1..40,
7254 1..40, 7255 1..10, 7256 1..90, 7257 1..70, 7258 3, 7259 1..40, 8001 14, 8002 1..20, 8003 14..30, 8004 1..30, 8005 6, 8006 18,
8007 1..34, 8008 8..12, 8009 1..50, 8010 1..30, 8011 1..12, 8012 1..20, 8013 1..25, 8014 1..25, 8017 18, 8018 18, 8019 1..10, 8020 1..25,
8026 18, 8030 1..90, 8110 1..70, 8111 4, 8112 1..70, 8200 1..70, 90 1..30, 91-99 1..90`

/** Measures and amounts: the fourth digit is the number of decimals. */
const WITH_DECIMALS = `
310-316 6, 320-337 6, 340-357 6, 360-369 6, 390 1..15, 391 4..18, 392 1..15, 393 4..18, 394 4, 395 6`

/** The first two digits of identifiers whose data has a fixed length. The separator U+001D may follow their data (section 7.8.5). */
const PREDEFINED: ReadonlySet<string> = new Set(
  '00 01 02 03 04 11 12 13 14 15 16 17 18 19 20 31 32 33 34 35 36 41'.split(' '),
)

export type Identifier = {
  readonly ai: string
  /** Fewest and most characters of the data. */
  readonly min: number
  readonly max: number
  /** The data has a fixed length and needs no separator. */
  readonly isPredefined: boolean
}

const known: ReadonlyMap<string, Identifier> = new Map([
  ...read(LENGTHS, ['']),
  ...read(WITH_DECIMALS, [...'0123456789']),
])

function read(table: string, lastDigits: readonly string[]): (readonly [string, Identifier])[] {
  return table.split(',').flatMap(entry => {
    const [identifiers = '', length = ''] = entry.trim().split(' ')
    const [first = '', last = first] = identifiers.split('-')
    const [min = 0, max = min] = length.split('..').map(Number)
    const count = Number(last) - Number(first) + 1
    return Array.from({ length: count }, (_, at) => String(Number(first) + at).padStart(first.length, '0')).flatMap(
      start =>
        lastDigits.map(digit => {
          const ai = `${start}${digit}`
          return [ai, { ai, min, max, isPredefined: PREDEFINED.has(ai.slice(0, 2)) }] as const
        }),
    )
  })
}

/** The identifier of exactly these digits. */
export const identifierOf = (digits: string): Identifier | undefined => known.get(digits)

/** The identifier at this index of the text. No identifier begins with another one. */
export function identifierAt(text: string, at: number): Identifier | undefined {
  for (const length of [2, 3, 4]) {
    const found = known.get(text.slice(at, at + length))
    if (found !== undefined) return found
  }
  return undefined
}
