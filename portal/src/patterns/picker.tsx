/** A choice among records that the server finds while a person types. The first one is preselected, and Enter takes it. */
import { CloseButton, Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { failureText } from './failure.tsx'

export type Choice = {
  readonly id: string
  readonly label: string
  readonly hint?: string | null
  /** Why the record cannot be taken. It is shown, and Enter takes no other one instead. */
  readonly blocked?: string
  /** The unit of a variant. */
  readonly unit?: string
  readonly batched?: boolean
  readonly isKit?: boolean
}

export type PickerProps = {
  readonly label: string
  readonly value?: Choice | null
  readonly onChange: (choice: Choice | null) => void
  readonly error?: unknown
  readonly required?: boolean
  /** The path of the field in a form, where its refusal is shown. */
  readonly 'data-path'?: string
}

export type Search = (q: string, signal: AbortSignal) => Promise<readonly Choice[]>

type Props = PickerProps & { readonly name: readonly string[]; readonly search: Search }

export function Picker({ name, search, label, value = null, onChange, error, required, 'data-path': path }: Props) {
  const listId = useId()
  const [text, setText] = useState<string | null>(null)
  const typing = text?.trim() ?? ''
  const [debounced] = useDebouncedValue(typing, 200)
  // Enter was pressed before the answer for this text came. A record of that answer is taken then.
  const [awaited, setAwaited] = useState<string | null>(null)
  // Null: the first one, if a text is typed.
  const [moved, setMoved] = useState<number | null>(null)
  const combobox = useCombobox()
  const q = awaited ?? debounced
  const found = useQuery({
    queryKey: [...name, 'picker', q],
    queryFn: ({ signal }) => search(q, signal),
    enabled: combobox.dropdownOpened || awaited !== null,
    placeholderData: keepPreviousData,
  })
  const shown = found.data ?? []
  // Records for another text are shown meanwhile, without a selection, because keys apply to the coming answer.
  const isAnswered = q === typing && !found.isPlaceholderData && found.data !== undefined
  const position = moved ?? (typing === '' ? -1 : 0)
  const selected = isAnswered ? position : -1

  const close = () => {
    setText(null)
    setMoved(null)
    combobox.closeDropdown()
  }
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined || choice.blocked !== undefined) return
    onChange(choice)
    close()
  }
  const answered = useEffectEvent(() => {
    if (awaited === null) return
    setAwaited(null)
    choose(shown[position])
  })
  useEffect(() => {
    if (awaited !== null && !found.isFetching && !found.isPlaceholderData && (found.data || found.error)) answered()
  }, [awaited, found.isFetching, found.isPlaceholderData, found.data, found.error])

  const take = () => {
    if (!combobox.dropdownOpened) combobox.openDropdown()
    // A cached answer may lack newer records. A record that the arrow keys chose is always taken.
    else if (isAnswered && (moved !== null || !found.isFetching)) choose(shown[selected])
    else if (typing !== '') setAwaited(typing)
  }
  const move = (by: number) => {
    if (!combobox.dropdownOpened) combobox.openDropdown()
    else if (!isAnswered) setMoved(Math.max(position + by, 0))
    else if (shown.length > 0)
      setMoved(position === -1 && by < 0 ? shown.length - 1 : (position + by + shown.length) % shown.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    // With Ctrl the form is sent.
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (!['Enter', 'ArrowDown', 'ArrowUp', 'Escape'].includes(key)) return
    // Enter would send the form.
    event.preventDefault()
    if (key === 'Enter') take()
    else if (key === 'Escape') close()
    else move(key === 'ArrowDown' ? 1 : -1)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={id => choose(shown.find(choice => choice.id === id))}>
      <Combobox.Target
        withKeyboardNavigation={false}
        withExpandedAttribute
        aria-activedescendant={combobox.dropdownOpened && shown[selected] ? `${listId}-${selected}` : undefined}
      >
        <TextInput
          label={label}
          placeholder="Type to search"
          autoComplete="off"
          error={error as string}
          data-path={path}
          {...(required ? { withAsterisk: true } : {})}
          value={text ?? value?.label ?? ''}
          onChange={event => {
            setText(event.currentTarget.value)
            setMoved(null)
            setAwaited(null)
            combobox.openDropdown()
          }}
          onClick={() => combobox.openDropdown()}
          // A list that opens by itself would lie over the fields below.
          onFocus={event => event.currentTarget.select()}
          onBlur={close}
          onKeyDown={onKeyDown}
          aria-autocomplete="list"
          rightSection={
            found.isFetching ? (
              <Loader role="progressbar" size="xs" aria-label="Searching" />
            ) : value && !required ? (
              <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => onChange(null)} />
            ) : null
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!found.data && !found.error && !found.isPaused}>
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {shown.map((choice, index) => (
            <Combobox.Option
              key={choice.id}
              id={`${listId}-${index}`}
              value={choice.id}
              selected={index === selected}
              aria-selected={index === selected}
              disabled={choice.blocked !== undefined}
              {...(isAnswered ? {} : { c: 'dimmed' })}
            >
              {choice.label} {choice.hint && <small>{choice.hint}</small>}
              {choice.blocked !== undefined && <small> {choice.blocked}</small>}
            </Combobox.Option>
          ))}
          {isAnswered && shown.length === 0 && <Combobox.Empty>Nothing found</Combobox.Empty>}
          {found.isPaused && <Combobox.Empty>You are offline</Combobox.Empty>}
          {found.error && <Combobox.Empty>{failureText(found.error)}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
