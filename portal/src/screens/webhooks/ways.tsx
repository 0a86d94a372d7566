/** Between the screens of webhooks. */
import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'

const ways = [
  { to: '/webhooks', label: 'Subscriptions' },
  { to: '/webhooks/kinds', label: 'Event kinds' },
  { to: '/webhooks/live', label: 'Live events' },
] as const satisfies readonly { to: LinkProps['to']; label: string }[]

export function Ways({ here }: { readonly here: (typeof ways)[number]['to'] }) {
  return ways
    .filter(({ to }) => to !== here)
    .map(({ to, label }) => (
      <Button key={to} variant="default" renderRoot={props => <Link to={to} {...props} />}>
        {label}
      </Button>
    ))
}
