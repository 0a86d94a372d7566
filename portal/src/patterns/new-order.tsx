/** A step that makes an order and opens its page. */
import { PlusIcon } from '@radix-ui/react-icons'
import { useNavigate } from '@tanstack/react-router'
import { Step, type StepProps } from './action-form.tsx'

type Props<Values extends object, Answer> = Omit<StepProps<Values, object, Answer>, 'done' | 'record' | 'reread'> & {
  /** The path of orders of this kind. */
  readonly path: string
}

export function NewOrder<Values extends object, Answer extends { readonly id: string; readonly number: string }>({
  path,
  ...props
}: Props<Values, Answer>) {
  const navigate = useNavigate()
  return (
    <Step
      submitLabel="Create"
      size="lg"
      button={{ variant: 'filled', leftSection: <PlusIcon aria-hidden /> }}
      done={({ number }) => `${number} is made`}
      onDone={({ id }) => navigate({ to: `${path}/${id}` as string })}
      {...props}
    />
  )
}
