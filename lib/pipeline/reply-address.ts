/** Where an answer goes: the server process and the request that waits there. */
export type Address = { readonly replyTo: string; readonly requestId: string }

/** As the scripts keep it. */
export const addressText = ({ replyTo, requestId }: Address): string => `${replyTo} ${requestId}`

export function parseAddress(text: string): Address {
  const [replyTo = '', requestId = ''] = text.split(' ')
  return { replyTo, requestId }
}
