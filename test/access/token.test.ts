import fc from 'fast-check'
import { generateToken, hashToken, isWellFormed } from '../../lib/access/token.ts'
import { testsOf } from '../support/suite.ts'

const test = testsOf(import.meta)

// The expected checksums were computed with Python's zlib.crc32: 1053550221 and 5147792 in base 62.
const known = 'mrk_abcdefghijklmnopqrstuvwxyzABCDEF'

test('a new token is mrk_ and 38 base62 characters', t => {
  t.regex(generateToken(), /^mrk_[0-9A-Za-z]{38}$/)
})

test('every new token is well formed, and no two are equal', t => {
  const tokens = Array.from({ length: 2_000 }, generateToken)
  t.true(tokens.every(isWellFormed))
  t.is(new Set(tokens).size, tokens.length)
})

test('the random characters use the whole alphabet evenly', t => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 5_000; n++)
    for (const letter of generateToken().slice(4, 36)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  t.is(counts.size, 62)
  // 160,000 letters: 2,581 of each are expected, with a standard deviation of 50. 400 is eight deviations, which chance does not reach.
  for (const [letter, count] of counts) t.true(Math.abs(count - 2_581) < 400, `${letter}: ${count}`)
})

test('the checksum is CRC32 in base62, big end first, padded with zeros', t => {
  t.true(isWellFormed(`${known}19IaXV`))
  t.true(isWellFormed('mrk_0000000000000000000000000000034300LbAu'))
})

test('a token with one character changed, or two neighbours swapped, is not well formed', t => {
  const changed = fc.property(fc.nat({ max: 41 }), fc.constantFrom(...'0123456789abcXYZ_'), (at, letter) => {
    const token = generateToken()
    const other = token.slice(0, at) + letter + token.slice(at + 1)
    return other === token || !isWellFormed(other)
  })
  const swapped = fc.property(fc.nat({ max: 40 }), at => {
    const token = generateToken()
    const other = token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2)
    return other === token || !isWellFormed(other)
  })
  t.notThrows(() => fc.assert(changed))
  t.notThrows(() => fc.assert(swapped))
})

test('any other text is not well formed', t => {
  for (const text of ['', 'mrk_', 'x', `${generateToken()} `, ` ${generateToken()}`, `${generateToken()}\n`])
    t.false(isWellFormed(text))
  t.notThrows(() => fc.assert(fc.property(fc.string(), text => !isWellFormed(text))))
})

test('a token is stored as SHA-256 in hex', t => {
  t.is(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
