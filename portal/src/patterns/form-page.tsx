/** A form on a page of its own, and the link to the page. Its draft is the same, whichever link opens it. */
import { Badge, Button, Paper } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useHasDraft } from '../drafts.ts'
import { useSession } from '../session.tsx'
import { useClosed } from './action-form.tsx'
import { useFirstFocus } from './form-focus.ts'
import { OpenedForm } from './opened-form.tsx'
import { Screen } from './screen.tsx'
import type { AnyValues, MayClose, StepProps } from './step-props.ts'

type At = { readonly to: string; readonly search?: Readonly<Record<string, string>> | undefined }

function useDraftNameAt({ to, search = {} }: At): string {
  const { me } = useSession()
  return [me.tenant_id, me.key_id, to, ...Object.values(search)].join(' ')
}

type LinkProps = At & { readonly label: string; readonly scope: string }

export function FormLink({ label, scope, ...at }: LinkProps) {
  const closed = useClosed({ scope })
  const hasDraft = useHasDraft(useDraftNameAt(at))
  const isOpen = closed === undefined
  return (
    <Button
      leftSection={<PlusIcon aria-hidden />}
      {...(hasDraft && isOpen ? { rightSection: <Badge component="span">Draft</Badge> } : {})}
      {...(isOpen
        ? { renderRoot: (props: object) => <Link to={at.to} search={at.search as never} {...props} /> }
        : { disabled: true, title: closed })}
    >
      {label}
    </Button>
  )
}

type Props<Values extends AnyValues, Answer> = Omit<StepProps<Values, object, Answer>, 'record' | 'reread'> & {
  readonly at: At
  readonly title: string
  readonly back: string
}

export function FormPage<Values extends AnyValues, Answer>({ at, back, ...props }: Props<Values, Answer>) {
  const navigate = useNavigate()
  const draftName = useDraftNameAt(at)
  const [opened, setOpened] = useState(0)
  const guard = useRef<MayClose>(null)
  const page = useRef<HTMLDivElement>(null)
  useFirstFocus(page, opened)
  return (
    <Screen title={props.title}>
      <Paper withBorder p="md" ref={page}>
        <OpenedForm
          key={opened}
          {...props}
          draftName={draftName}
          guard={guard}
          isPage
          // The form has already asked whether to leave.
          close={() => navigate({ to: back, ignoreBlocker: true })}
          restart={() => setOpened(opened + 1)}
        />
      </Paper>
    </Screen>
  )
}
