/** The end of a hold: a day and a time in the reader's time zone, with buttons for usual ones. */
import { Button, Group, Stack, TextInput } from '@mantine/core'

const MINUTE_MS = 60_000

const quick = [
  ['15 minutes', 15 * MINUTE_MS],
  ['1 hour', 60 * MINUTE_MS],
  ['1 day', 1_440 * MINUTE_MS],
] as const

/** The longest hold that the API allows. */
const DAYS_MAX = 30

export const usualEnd = (): string => from(quick[0][1])

export const endRule = (end: string): string | null => (end === '' ? 'choose a day and a time' : null)

const from = (ms: number): string => new Date(Date.now() + ms).toISOString()

type Props = {
  /** A moment; empty while none is typed. */
  readonly value?: string
  readonly onChange: (end: string) => void
  readonly error?: unknown
  readonly 'data-path'?: string
}

export function EndInput({ value = '', onChange, error, 'data-path': path }: Props) {
  return (
    <Stack gap={6}>
      <TextInput
        type="datetime-local"
        step={1}
        label="Ends"
        description={`In your time, at most ${DAYS_MAX} days ahead`}
        withAsterisk
        data-path={path}
        error={error as string}
        value={localText(value)}
        onChange={event => onChange(instantOf(event.currentTarget.value))}
      />
      <Group gap="xs">
        {quick.map(([label, ms]) => (
          <Button key={label} size="compact-xs" variant="default" onClick={() => onChange(from(ms))}>
            {label} from now
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

/** In the format of the input. */
function localText(instant: string): string {
  if (instant === '') return ''
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19)
}

function instantOf(local: string): string {
  const ms = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString()
}
