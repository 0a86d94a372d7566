/**
 * The text of an API key: `mrk_`, 32 random base62 characters, 6 characters of checksum. The checksum shows a typing error or a guess
 * without a look-up. It is no secret and proves nothing.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'mrk_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The greatest multiple of 62 within a byte. Higher bytes are dropped, because they would make some characters more frequent. */
const UNBIASED_BYTES = 248

const pattern = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** A new token with 190 random bits. */
export function generateToken(): string {
  const text = PREFIX + randomText(RANDOM_LENGTH)
  return text + checksumOf(text)
}

/** Whether the text has the form and checksum of a token. */
export function isWellFormed(token: string): boolean {
  return pattern.test(token) && token.endsWith(checksumOf(token.slice(0, -CHECKSUM_LENGTH)))
}

/** SHA-256 in hex, the only form that is stored. A token has too much entropy to need salt or a slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}

/** CRC32 in base62, padded with zeros. It always fits: 62^6 > 2^32. */
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
