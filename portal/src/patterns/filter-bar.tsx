/** The bar above a list: its filters, its order and its file. On a phone a button with the number of set filters hides them. */
import { Button, Group } from '@mantine/core'
import { useDisclosure, useId } from '@mantine/hooks'
import { MixerHorizontalIcon } from '@radix-ui/react-icons'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Search = Readonly<Record<string, unknown>>
type Navigate = (to: { to: '.'; search: (before: Search) => Search; replace: true; resetScroll: false }) => unknown

type Props = {
  readonly title: string
  readonly filters?: ReactNode
  readonly onClear?: (() => void) | undefined
  readonly children: ReactNode
}

export function FilterBar({ title, filters, onClear, children }: Props) {
  const [isOpen, { toggle }] = useDisclosure()
  const id = useId()
  const { order: _order, ...search } = useSearch({ strict: false }) as Search
  const count = Object.values(search).filter(value => value !== undefined).length
  return (
    <Group gap="sm" align="flex-end" justify="space-between">
      {filters && (
        <>
          <Button
            hiddenFrom="sm"
            size="xs"
            variant="default"
            leftSection={<MixerHorizontalIcon aria-hidden />}
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls={id}
          >
            {count === 0 ? 'Filters' : `Filters (${count})`}
          </Button>
          <Group
            id={id}
            gap="sm"
            align="flex-end"
            className={isOpen ? 'filters' : 'filters folded'}
            role="group"
            aria-label={`Filters of ${title}`}
          >
            {filters}
            {onClear && (
              <Button variant="subtle" onClick={onClear}>
                Clear filters
              </Button>
            )}
          </Group>
        </>
      )}
      <Group gap="xs" className="list-tools">
        {children}
      </Group>
    </Group>
  )
}

/** The order of the list. It is in the address, as filters are. */
export function OrderButton({ order }: { readonly order: 'asc' | 'desc' }) {
  const navigate = useNavigate() as unknown as Navigate
  const other = order === 'asc' ? 'desc' : 'asc'
  const words = { asc: 'Oldest first', desc: 'Newest first' }
  return (
    <Button
      size="xs"
      variant="default"
      title={`Show the ${words[other].toLowerCase()}`}
      onClick={() =>
        navigate({ to: '.', search: before => ({ ...before, order: other }), replace: true, resetScroll: false })
      }
    >
      {words[order]}
    </Button>
  )
}
