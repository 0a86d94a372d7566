/** What happened to a record, oldest first. */
import { Text, Timeline } from '@mantine/core'
import type { ReactNode } from 'react'
import { Instant } from '../format.tsx'
import { Section } from './section.tsx'

export type Happening = {
  readonly key: string
  readonly at: string
  readonly title: string
  readonly text?: ReactNode
  /** The user who did it, where one is known. */
  readonly by?: string | null
}

export function EventTimeline({ happenings }: { readonly happenings: readonly Happening[] }) {
  const sorted = happenings.toSorted((one, other) => one.at.localeCompare(other.at))
  return (
    <Section title="What happened">
      <Timeline bulletSize={12} lineWidth={2} active={sorted.length} p="md" pt="sm">
        {sorted.map(({ key, at, title, text, by }) => (
          <Timeline.Item key={key} title={title}>
            {text && <Text size="sm">{text}</Text>}
            <Text size="xs" c="dimmed">
              <Instant at={at} />
              {by && `, ${by}`}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}
