/** Names calls of scripts that take commands, so that Redis knows one that is sent again since its answer was lost (calls.lua). */
import { randomUUID } from 'node:crypto'

const ofProcess = randomUUID().slice(-12)
let count = 0

/** The key of a new call in a shard. */
export const newCall = (tag: string): string => `${tag}:call:${ofProcess}-${(count++).toString(36)}`
