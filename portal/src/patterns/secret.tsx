/** A secret that is shown this once. It is kept nowhere: neither in the page's storage nor in what was read. */
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'

type Props = {
  readonly title: string
  /** What it is called: `secret`. */
  readonly name: string
  /** What it is for, and where it belongs. */
  readonly explains: string
  /** Null: it cannot be shown any more. */
  readonly secret: string | null
  readonly whenLost: string
  readonly onClose: () => void
}

export function SecretDialog({ title, name, explains, secret, whenLost, onClose }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {secret === null ? (
          <Alert color="orange" variant="outline" title={`The ${name} cannot be shown any more`}>
            It was shown with an earlier answer, which got lost. {whenLost}
          </Alert>
        ) : (
          <>
            <Text size="sm">{explains}</Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {secret}
            </Code>
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : `Copy the ${name}`}
                </Button>
              )}
            </CopyButton>
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{secret === null ? 'Back' : 'I have kept it'}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
