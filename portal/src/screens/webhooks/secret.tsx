/** The secret of a subscription, which is shown this once. */
import type { ComponentProps } from 'react'
import { SecretDialog } from '../../patterns/secret.tsx'

type Props = Pick<ComponentProps<typeof SecretDialog>, 'title' | 'secret' | 'onClose'>

export const WebhookSecret = (props: Props) => (
  <SecretDialog
    {...props}
    name="secret"
    explains="This secret signs every request (Standard Webhooks). It is shown now and never again: put it where your receiver reads it."
    whenLost="Rotate the secret to get one that you know."
  />
)
