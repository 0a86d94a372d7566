/** What happened to a record, oldest first. */
import { Group, Text, Timeline } from '@mantine/core'
import type { ReactNode } from 'react'
import { Instant } from '../format.tsx'
import { useSession } from '../session.tsx'
import { ChangesList } from './changes-list.tsx'
import type { Difference } from './differences.ts'
import { PathLink } from './links.tsx'
import { Section } from './section.tsx'

export type Happening = {
  /** Of what happens once, as its event calls it: `created`. */
  readonly key: string
  readonly at: string
  readonly title: string
  readonly text?: ReactNode
  readonly by?: string | null
  /** The key by which it was done: it leads to what else was done. */
  readonly keyId?: string | undefined
  readonly changes?: readonly Difference[]
}

type Booked = {
  readonly id: string
  readonly number: string
  readonly reversed_at: string | null
  readonly reversed_by_user_name: string | null
  readonly reversal_reason: string | null
}

/** Of a document of a record: that it was reversed, where it was. */
export const reversalOf = (of: Booked): readonly Happening[] =>
  of.reversed_at === null
    ? []
    : [
        {
          ...{ key: `reversal ${of.id}`, at: of.reversed_at, title: `${of.number} was reversed` },
          ...{ text: of.reversal_reason, by: of.reversed_by_user_name },
        },
      ]

type Props = { readonly happenings: readonly Happening[]; readonly children?: ReactNode }

export function EventTimeline({ happenings, children }: Props) {
  const sorted = happenings.toSorted((one, other) => one.at.localeCompare(other.at))
  return (
    <Section title="What happened">
      <Timeline bulletSize={12} lineWidth={2} active={sorted.length} p="md" pt="sm">
        {sorted.map(({ key, at, title, text, by = null, keyId, changes = [] }) => (
          <Timeline.Item key={key} title={title}>
            {text && <Text size="sm">{text}</Text>}
            <ChangesList of={changes} />
            <Text size="sm" c="dimmed">
              <Instant at={at} />
              {by !== null && (
                <>
                  , <Person name={by} keyId={keyId} />
                </>
              )}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {children && (
        <Group gap="sm" px="md" pb="sm">
          {children}
        </Group>
      )}
    </Section>
  )
}

/** Who did it. The name leads to what this key did, for a key that may see it. */
export function Person({ name, keyId }: { readonly name: string; readonly keyId: string | undefined }) {
  const { can } = useSession()
  return keyId !== undefined && can('read:requests') ? (
    <PathLink inText to="/requests" search={{ key_id: keyId }}>
      {name}
    </PathLink>
  ) : (
    name
  )
}
