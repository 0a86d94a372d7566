/** The form for a colleague's new key, and its token, which is shown once. */
import { Checkbox, Fieldset, List, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Step } from '../../patterns/action-form.tsx'
import { scopeWords } from '../../patterns/in-words.ts'
import { SecretDialog } from '../../patterns/secret.tsx'
import { useSession } from '../../session.tsx'
import { roles, SINGLE, scopesInWords, scopesOfRole } from './roles.ts'

type Values = { user: string; name: string; expires: string; role: string; scopes: string[] }
type Made = { readonly id: string; readonly name: string; readonly token: string }

export function NewKey() {
  const { api, me } = useSession()
  const navigate = useNavigate()
  const [made, setMade] = useState<Made | null>(null)
  const given = ({ role, scopes }: Values) => (role === SINGLE ? scopes : scopesOfRole(role, me.scopes))
  return (
    <>
      <Step
        label="New API key"
        submitLabel="Create"
        size="lg"
        button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
        scope="write:keys"
        again="Look into the list first: each try makes another key."
        explains="A key may do at most what yours may. Where no answer comes, look into the list first: each try makes a key."
        initial={(): Values => ({ user: '', name: '', expires: '', role: '', scopes: [] })}
        validate={{
          user: value => (value.trim() === '' ? 'is needed' : null),
          role: (_, values) => (given(values).length === 0 ? 'choose what the key may do' : null),
        }}
        fields={form => <KeyFields form={form} />}
        fieldOf={field => ({ user_name: 'user', expires_at: 'expires' })[field] ?? field}
        send={(values, sending) =>
          api.apiKeys.create(
            {
              name: values.name.trim() || values.role,
              user_name: values.user.trim(),
              scopes: [...given(values)],
              expires_at: values.expires || null,
            },
            // A repeat would make a second key.
            { ...sending, maxRetries: 0 },
          )
        }
        done={({ name, user_name }) => `The key of ${user_name} is made: ${name}`}
        onDone={setMade}
      />
      {made && (
        <SecretDialog
          title="The key is made"
          name="key"
          explains="Your colleague signs in with this key. It is shown now and never again."
          secret={made.token}
          whenLost=""
          onClose={() => {
            setMade(null)
            navigate({ to: `/keys/${made.id}` as string })
          }}
        />
      )}
    </>
  )
}

function KeyFields({ form }: { readonly form: UseFormReturnType<Values> }) {
  const { me } = useSession()
  const { role } = form.values
  return (
    <>
      <TextInput label="Who uses it" withAsterisk maxLength={255} {...form.getInputProps('user')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
        <TextInput
          label="Name of the key (the role if empty)"
          placeholder={role}
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <TextInput type="date" label="Ends on (never if empty)" {...form.getInputProps('expires')} />
      </SimpleGrid>
      <Radio.Group label="What it may do" withAsterisk {...form.getInputProps('role')}>
        <Stack gap="xs" mt={4}>
          {roles.map(each => (
            <Radio key={each} value={each} label={each} />
          ))}
        </Stack>
      </Radio.Group>
      {role !== '' && role !== SINGLE && (
        <List size="sm" aria-label={`What ${role} may do`}>
          {scopesInWords(scopesOfRole(role, me.scopes)).map(words => (
            <List.Item key={words}>{words}</List.Item>
          ))}
        </List>
      )}
      {role === SINGLE && (
        <Fieldset legend="Scopes">
          <Checkbox.Group {...form.getInputProps('scopes')}>
            <Stack gap={6}>
              {me.scopes.map(scope => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={
                    <>
                      {scopeWords(scope)}{' '}
                      <Text span size="xs" c="dimmed">
                        {scope}
                      </Text>
                    </>
                  }
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </Fieldset>
      )}
    </>
  )
}
