/** A secret that is shown once. It is stored nowhere: neither in the page's storage nor among cached answers. */
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'

type Props = {
  readonly title: string
  /** The name of the secret: `secret`. */
  readonly name: string
  /** The purpose of the secret, and where the person should put it. */
  readonly explains: string
  /** Null: it can no longer be shown. */
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
