/** Starts the page: styles, components, session and router. */
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './page.css'
import { Alert, Center, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepPage, loadPresent } from './chunks.ts'
import { keepsNumbers } from './exact.ts'
import { selectOnTab } from './keyboard.ts'
import { queries } from './queries.ts'
import { router } from './router.ts'
import { SessionProvider } from './session.tsx'
import { cssVariables, theme } from './theme.ts'

keepPage()
loadPresent(router)
selectOnTab()

// The Content-Security-Policy allows styles with this nonce, which components write into the page.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
document.getElementById('loading')?.remove()
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications
        position="top-center"
        containerWidth={440}
        classNames={{ root: 'toasts', notification: 'toast' }}
      />
      {keepsNumbers ? (
        <QueryClientProvider client={queries}>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      ) : (
        <Center mih="100vh" p="md">
          <Alert title="This browser is too old" maw={480}>
            The portal shows decimals exactly as they are kept, which needs Chrome 114, Firefox 135, Safari 18.4 or
            newer.
          </Alert>
        </Center>
      )}
    </MantineProvider>
  </StrictMode>,
)
