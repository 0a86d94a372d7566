/** The signed-in key: it is in the session storage, and goes nowhere except into the client's requests. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { clientsOf } from './api.ts'
import { setDaysOf } from './days.ts'
import { dropAllDrafts } from './drafts.ts'
import type { ExactApi } from './exact.ts'
import { keyRefused, queries } from './queries.ts'
import type { Me } from './records.ts'
import { SignIn } from './sign-in.tsx'
import { answerTabs, endOtherTabs, keyOfOtherTabs } from './tabs.ts'

const STORED = 'millrace.key'

type Session = ReturnType<typeof clientsOf> & {
  readonly token: string
  readonly me: Me
  /** Whether the key has the scope. */
  readonly can: (scope: string) => boolean
  readonly signOut: () => void
}

/** What reads for a session outside of components takes. */
export type Reader = Pick<Session, 'api' | 'can'>

const SessionContext = createContext<Session | null>(null)

/** The session. Every component below the sign-in has one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('nobody is signed in')
  return session
}

export const useApi = (): ExactApi => useSession().api

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [token, setToken] = useState(() => sessionStorage.getItem(STORED))
  const [me, setMe] = useState<Me | null>(null)
  const [notice, setNotice] = useState<string | null>(null)

  const end = useCallback((reason: string | null) => {
    sessionStorage.removeItem(STORED)
    dropAllDrafts()
    queries.clear()
    setToken(null)
    setMe(null)
    setNotice(reason)
  }, [])
  useEffect(() => {
    const refused = () => end('The key is no longer valid. Paste another one.')
    keyRefused.addEventListener('refused', refused)
    return () => keyRefused.removeEventListener('refused', refused)
  }, [end])

  // A tab that was opened from a signed-in one gets the key from it.
  const [isNew] = useState(token === null)
  useEffect(() => {
    if (isNew) keyOfOtherTabs().then(key => key !== null && setToken(now => now ?? key))
  }, [isNew])
  useEffect(() => {
    if (token === null || me === null) return
    return answerTabs({ key: token, keyId: me.key_id, onEnd: () => end('You signed out in another tab.') })
  }, [token, me, end])

  const session = useMemo(() => {
    if (token === null || me === null) return null
    const scopes = new Set(me.scopes)
    const can = (scope: string) => scopes.has(scope)
    return {
      ...clientsOf({ token, can }),
      ...{ token, me, can },
      signOut: () => {
        endOtherTabs(me.key_id)
        end(null)
      },
    }
  }, [token, me, end])
  if (session) return <SessionContext value={session}>{children}</SessionContext>
  return (
    <SignIn
      stored={token}
      notice={notice}
      onSignedIn={(key, who) => {
        sessionStorage.setItem(STORED, key)
        setDaysOf(who)
        setToken(key)
        setMe(who)
        setNotice(null)
      }}
      onForget={() => end(null)}
    />
  )
}
