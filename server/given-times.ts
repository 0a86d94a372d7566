/** What came of a header that may be given once. Node joins repeated ones by commas, and a joined key would be another key. */
import type { Context } from 'koa'

/** Each time that the header was given. Node takes all headers apart for that, so only where there is a comma. @param name in lower case */
export function givenTimes({ req }: Context, name: string): readonly string[] {
  const joined = req.headers[name]
  if (joined === undefined) return []
  return typeof joined === 'string' && !joined.includes(',') ? [joined] : (req.headersDistinct[name] ?? [])
}
