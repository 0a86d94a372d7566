/** A link by its path, to screens of other areas: they are built apart. */
import { Anchor, type AnchorProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = Pick<AnchorProps, 'size'> & {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  /** `row-link` where it leads from a whole row. */
  readonly className?: string
  readonly children: ReactNode
}

export function PathLink({ to, search, size = 'sm', className, children }: Props) {
  if (className !== undefined)
    return (
      <Link to={to} search={search as never} className={className}>
        {children}
      </Link>
    )
  return (
    <Anchor size={size} renderRoot={props => <Link to={to} search={search as never} {...props} />}>
      {children}
    </Anchor>
  )
}
