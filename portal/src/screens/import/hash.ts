/** Hashes for Idempotency-Keys, the same as those of `bin/millrace import`. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const LENGTH = 40

export const hashOf = (text: string): string => bytesToHex(sha256(new TextEncoder().encode(text))).slice(0, LENGTH)
