/**
 * The text of an API key: `mrk_`, 32 random base62 characters, 6 of checksum. The checksum tells a
 * typing error or a guess from a key without any look-up; it is no secret and proves nothing.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'mrk_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The greatest multiple of 62 that a byte holds: bytes from here on are thrown away, else some characters come more often. */
const UNBIASED_BYTES = 248

const pattern = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** A new token with 190 random bits. */
export function generateToken(): string {
  const text = PREFIX + randomText(RANDOM_LENGTH)
  return text + checksumOf(text)
}

/** Whether the text has a token's form and checksum. */
export function isWellFormed(token: string): boolean {
  return pattern.test(token) && token.endsWith(checksumOf(token.slice(0, -CHECKSUM_LENGTH)))
}

/** SHA-256 in hex, which is all that is stored. A token has too much entropy to need salt or a slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** CRC32 in base62, padded with zeros: 62^6 > 2^32, so it always fits. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (rest > 0) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits.padStart(CHECKSUM_LENGTH, '0')
}

function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += ALPHABET.charAt(byte % 62)
    }
  }
  return text
}
