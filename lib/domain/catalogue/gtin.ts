/** GS1 check digits, and the normal form of a GTIN. Pure. The database function `barcode_key` follows the same rule. */

/**
 * Whether the last digit is the check digit of the others. From the right, the others count 3 and 1 in turn. The text must be at least two
 * digits.
 */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[at]) * ((digits.length - at) % 2 === 0 ? 3 : 1)
  return digits.length > 1 && sum % 10 === 0
}

/** The 14 digits of a GTIN of 8, 12, 13 or 14 digits with a right check digit; null for any other text. */
export const gtinOf = (text: string): string | null =>
  /^(?:\d{8}|\d{12,14})$/.test(text) && hasCheckDigit(text) ? text.padStart(14, '0') : null
