/** The search over all records. Results come in groups, the first one is preselected, and Enter opens it. */
import { Combobox, Modal, Stack, Text, TextInput, useCombobox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import type { Result } from '../noun.ts'
import { failureText } from '../patterns/failure.tsx'
import { NEWEST_MAX } from './newest.ts'
import { LETTERS_MIN, useFind } from './use-find.ts'

const HINT = `Orders, returns, products, customers and suppliers by a part; documents of the stock by their whole number; batches, shipments and receipts by a part among the newest ${NEWEST_MAX}.`
const MAY_BE_OLDER = /^(SH|PR)-?\d/i

export function Find({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Find" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Search onClose={onClose} />
    </Modal>
  )
}

function Search({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [moved, setMoved] = useState(0)
  // Enter was pressed before the answers. The first result is opened when they come.
  const [isAwaited, setAwaited] = useState(false)
  const typing = text.trim()
  const { groups, isAnswered, error, isPaused } = useFind(typing)
  const results = groups.flatMap(group => group.results)
  const selected = results[moved]

  const open = (result: Result | undefined) => {
    setAwaited(false)
    if (result === undefined) return
    onClose()
    navigate({ to: result.to as string })
  }
  const answered = useEffectEvent(() => open(selected))
  useEffect(() => {
    if (isAwaited && isAnswered) answered()
  }, [isAwaited, isAnswered])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isAnswered) open(selected)
      else if (typing.length >= LETTERS_MIN) setAwaited(true)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const by = event.key === 'ArrowDown' ? 1 : -1
      if (isAnswered && results.length > 0) setMoved((moved + by + results.length) % results.length)
    }
  }
  const combobox = useCombobox({ opened: true })
  const idOf = (result: Result) => `${listId}-${results.indexOf(result)}`
  const said =
    typing.length < LETTERS_MIN
      ? HINT
      : isPaused
        ? 'You are offline.'
        : !isAnswered
          ? 'Searching …'
          : results.length > 0
            ? `${results.length} found`
            : MAY_BE_OLDER.test(typing)
              ? `Nothing found. Only the newest ${NEWEST_MAX} shipments and receipts are found by their number: look for the order of an older one.`
              : 'Nothing found.'
  return (
    <Combobox store={combobox} onOptionSubmit={value => open(results[Number(value)])} withinPortal={false}>
      <Stack gap="xs">
        {/* These attributes replace those of the library, with which Escape would close a list. Here it closes the dialog. */}
        <Combobox.EventsTarget withKeyboardNavigation={false} withAriaAttributes={false}>
          <TextInput
            role="combobox"
            aria-label="Find"
            aria-expanded={results.length > 0}
            aria-haspopup="listbox"
            aria-controls={`${listId}-list`}
            aria-activedescendant={isAnswered && selected ? idOf(selected) : undefined}
            placeholder="Number, name, SKU, barcode"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={text}
            onChange={event => {
              setText(event.currentTarget.value)
              setMoved(0)
              setAwaited(false)
            }}
            onKeyDown={onKeyDown}
          />
        </Combobox.EventsTarget>
        <Text size="xs" c="dimmed" role="status">
          {said}
        </Text>
        {error && <Text size="xs">{failureText(error)}</Text>}
        <Combobox.Options id={`${listId}-list`} aria-label="Found">
          {groups.map(({ label, results: found }) => (
            <Combobox.Group key={label} label={label}>
              {found.map(result => (
                <Combobox.Option
                  key={result.id}
                  id={idOf(result)}
                  value={String(results.indexOf(result))}
                  selected={isAnswered && result === selected}
                  aria-selected={isAnswered && result === selected}
                >
                  {result.label} {result.hint && <small>{result.hint}</small>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Stack>
    </Combobox>
  )
}
