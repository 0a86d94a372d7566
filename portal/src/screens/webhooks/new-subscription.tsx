/** The form that makes a subscription. */
import { PlusIcon } from '@radix-ui/react-icons'
import { Step } from '../../patterns/action-form.tsx'
import { useApi } from '../../session.tsx'
import { bodyOf, SubscriptionFields, type SubscriptionValues, subscriptionRules } from './fields.tsx'

type Made = { readonly id: string; readonly secret: string | null }

export function NewSubscription({ onMade }: { readonly onMade: (made: Made) => void }) {
  const api = useApi()
  return (
    <Step
      label="New subscription"
      submitLabel="Create"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      scope="write:webhooks"
      initial={(): SubscriptionValues => ({ url: '', description: '', isAll: true, events: [] })}
      validate={subscriptionRules}
      fields={form => <SubscriptionFields form={form} />}
      send={(values, sending) => api.webhookSubscriptions.create(bodyOf(values), sending)}
      done={({ url }) => `Events are sent to ${url}`}
      onDone={onMade}
    />
  )
}
