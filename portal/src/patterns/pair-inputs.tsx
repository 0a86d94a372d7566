/** Inputs for a person's own names and texts: metadata of records, attributes of variants. */
import { ActionIcon, Fieldset, Group, Text, TextInput } from '@mantine/core'
import { Cross2Icon } from '@radix-ui/react-icons'
import { AddLine } from './add-line.tsx'

export type Pair = { readonly key: string; readonly name: string; readonly text: string }

export const pairsOf = (texts: Readonly<Record<string, string>> | undefined): readonly Pair[] =>
  Object.entries(texts ?? {}).map(([name, text]) => ({ key: name, name, text }))

/** Rows without name and text are left out. */
const given = (pairs: readonly Pair[]) => pairs.filter(({ name, text }) => name.trim() !== '' || text.trim() !== '')

export const textsOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(given(pairs).map(({ name, text }) => [name.trim(), text]))

export function pairRule(pairs: readonly Pair[]): string | null {
  const names = given(pairs).map(({ name }) => name.trim())
  if (names.includes('')) return 'each text needs a name'
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? null : `${twice} is there twice`
}

type Props = {
  readonly label: string
  readonly value?: readonly Pair[]
  readonly onChange?: (pairs: readonly Pair[]) => void
  readonly error?: unknown
  /** The path of the field in a form, where its refusal is shown. */
  readonly 'data-path'?: string
}

export function PairInputs({ label, value = [], onChange = () => {}, error, 'data-path': path }: Props) {
  const change = (key: string, to: Partial<Pair>) =>
    onChange(value.map(pair => (pair.key === key ? { ...pair, ...to } : pair)))
  return (
    <Fieldset legend={label} style={{ gridColumn: '1 / -1' }} data-path={path} tabIndex={-1}>
      {value.map(({ key, name, text }, index) => (
        <Group key={key} gap="xs" mb="xs" wrap="nowrap">
          <TextInput
            aria-label={`${label}, name ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={event => change(key, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`${label}, text ${index + 1}`}
            placeholder="Text"
            style={{ flex: 1 }}
            value={text}
            onChange={event => change(key, { text: event.currentTarget.value })}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`${label}: remove ${name || index + 1}`}
            onClick={() => onChange(value.filter(pair => pair.key !== key))}
          >
            <Cross2Icon aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {typeof error === 'string' && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <AddLine onAdd={() => onChange([...value, { key: String(Math.random()), name: '', text: '' }])}>
        Add to {label.toLowerCase()}
      </AddLine>
    </Fieldset>
  )
}
