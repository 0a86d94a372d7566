/** The fields of a subscription in forms. */
import { MultiSelect, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { CreateWebhookSubscriptionBody } from '@millrace/client'
import { Failure } from '../../patterns/failure.tsx'
import { type Kind, listScrolls, useKinds } from './shared.tsx'

export type SubscriptionValues = { url: string; description: string; isAll: boolean; events: string[] }

export const subscriptionRules = {
  url: (value: string) => (value.trim() === '' ? 'where to send events to, https://…' : null),
  events: (value: string[], { isAll }: SubscriptionValues) =>
    isAll || value.length > 0 ? null : 'choose what is sent',
}

export const bodyOf = ({ url, description, isAll, events }: SubscriptionValues): CreateWebhookSubscriptionBody => ({
  url: url.trim(),
  description: description.trim() || null,
  events: isAll ? ['*'] : (events as Kind[]),
})

export function SubscriptionFields({ form }: { readonly form: UseFormReturnType<SubscriptionValues> }) {
  const kinds = useKinds()
  return (
    <>
      <TextInput
        label="Address"
        placeholder="https://example.com/webhooks"
        inputMode="url"
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('url')}
      />
      <TextInput label="What it is for" maxLength={255} {...form.getInputProps('description')} />
      <Switch
        label="All kinds of events, also those that come later"
        {...form.getInputProps('isAll', { type: 'checkbox' })}
      />
      {!form.values.isAll && (
        <MultiSelect
          label="Events"
          placeholder={form.values.events.length === 0 ? 'Type to search' : ''}
          withAsterisk
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear events' }}
          data={kinds.data?.map(({ kind }) => kind) ?? form.values.events}
          {...listScrolls}
          {...form.getInputProps('events')}
        />
      )}
      {kinds.error && (
        <Failure error={kinds.error} title="The kinds could not be read" onRetry={() => kinds.refetch()} />
      )}
    </>
  )
}
