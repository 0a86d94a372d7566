/** A secret that is shown this once. It is kept nowhere: neither in the page's storage nor in what was read. */
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'

type Props = { readonly title: string; readonly secret: string | null; readonly onClose: () => void }

export function SecretDialog({ title, secret, onClose }: Props) {
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
          <Alert color="orange" variant="outline" title="The secret cannot be shown any more">
            It was shown with an earlier answer, which got lost. Rotate the secret to get one that you know.
          </Alert>
        ) : (
          <>
            <Text size="sm">
              This secret signs every request (Standard Webhooks). It is shown now and never again: put it where your
              receiver reads it.
            </Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {secret}
            </Code>
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy the secret'}
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
