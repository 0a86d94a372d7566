/**
 * The tabs of this browser that show the portal: a signed-in one passes its key to a new one, and a sign-out applies to all. The key is
 * passed in memory only; each tab keeps it in its own session storage.
 */
const NAME = 'millrace session'
/** Tabs answer within milliseconds. If tabs have several keys, the person has to choose. */
const ANSWERS_MS = 500

type Message =
  | { readonly type: 'ask' }
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'end'; readonly keyId: string }

/** The key of the signed-in tabs; null if there is none, or more than one. */
export function keyOfOtherTabs(): Promise<string | null> {
  const channel = new BroadcastChannel(NAME)
  const keys = new Set<string>()
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'key') keys.add(data.key)
  }
  tell(channel, { type: 'ask' })
  return new Promise(resolve =>
    setTimeout(() => {
      channel.close()
      resolve(keys.size === 1 ? [...keys].join() : null)
    }, ANSWERS_MS),
  )
}

type SignedIn = { readonly key: string; readonly keyId: string; readonly onEnd: () => void }

/** Answers new tabs and receives sign-outs. Returns a function that ends this. */
export function answerTabs({ key, keyId, onEnd }: SignedIn): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'ask') tell(channel, { type: 'key', key })
    if (data.type === 'end' && data.keyId === keyId) onEnd()
  }
  return () => channel.close()
}

/** Signs out the other tabs with this key. */
export function endOtherTabs(keyId: string): void {
  const channel = new BroadcastChannel(NAME)
  tell(channel, { type: 'end', keyId })
  channel.close()
}

const tell = (channel: BroadcastChannel, message: Message): void => channel.postMessage(message)
