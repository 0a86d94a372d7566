/** The frame of every screen: navigation, user, colours, and whether it is live. */
import {
  ActionIcon,
  Alert,
  AppShell,
  Badge,
  Burger,
  Button,
  Container,
  Group,
  NavLink,
  Stack,
  Text,
  Title,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { ExitIcon, LockClosedIcon, MoonIcon, SunIcon } from '@radix-ui/react-icons'
import { Link, Outlet, useLocation, useMatches, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { areas } from './areas.ts'
import { loadAhead } from './chunks.ts'
import { FindButton } from './find/find-button.tsx'
import { timeZoneNote } from './format.tsx'
import { LiveProvider, useLive } from './live.tsx'
import { Closed, LackingNote } from './patterns/lacking.tsx'
import { useSession } from './session.tsx'

export const Shell = () => (
  <LiveProvider>
    <Frame />
  </LiveProvider>
)

function Frame() {
  const { me, can, signOut } = useSession()
  const { isOpen: isLive } = useLive()
  const { online } = useNetwork()
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const scope = useMatches().at(-1)?.staticData.scope
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)

  const router = useRouter()
  useEffect(() => {
    const controller = new AbortController()
    loadAhead(router, can, controller.signal)
    return () => controller.abort()
  }, [router, can])

  // The focus moves to a new screen, so that keyboard and screen reader continue there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path alone says that the screen is another.
  useEffect(() => {
    close()
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [pathname])

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header px="md">
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Text fw={700}>Millrace</Text>
            <Text size="sm" c="dimmed" truncate visibleFrom="xs">
              {me.tenant_name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            {isLive && online && (
              <Badge color="green" variant="dot" title="What changes shows within seconds">
                Live
              </Badge>
            )}
            <FindButton />
            <ColorScheme />
            <Button
              variant="subtle"
              size="xs"
              leftSection={<ExitIcon aria-hidden />}
              onClick={signOut}
              title={`Signed in with the key ${me.key_name}`}
              aria-label="Sign out"
            >
              <Text span inherit visibleFrom="xs">
                Sign out
              </Text>
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        {areas.map(({ label, icon: Icon, to, also = [], scope: needed }) => (
          <NavLink
            key={label}
            renderRoot={props => <Link to={to} {...props} />}
            active={to === '/' ? pathname === '/' : [to, ...also].some(path => pathname.startsWith(path))}
            label={label}
            leftSection={<Icon aria-hidden />}
            rightSection={
              needed && !can(needed) ? (
                <>
                  <LockClosedIcon aria-hidden />
                  <VisuallyHidden>closed: needs {needed}</VisuallyHidden>
                </>
              ) : null
            }
          />
        ))}
        <Text size="xs" c="dimmed" mt="auto" p="xs">
          {timeZoneNote()}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <Container size={1280} p={0}>
          {!online && (
            <Alert color="orange" variant="outline" mb="md" role="status">
              You are offline. What is shown may be old; it is read again when you are back.
            </Alert>
          )}
          {scope && !can(scope) ? <Closed scope={scope} /> : <Outlet />}
          <LackingNote />
        </Container>
      </AppShell.Main>
    </AppShell>
  )
}

function ColorScheme() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon variant="subtle" onClick={() => setColorScheme(other)} aria-label={`Use ${other} colours`}>
      {scheme === 'dark' ? <SunIcon aria-hidden /> : <MoonIcon aria-hidden />}
    </ActionIcon>
  )
}

export function NotFound(): ReactNode {
  return (
    <Stack align="flex-start">
      <title>Not found · Millrace</title>
      <Title order={1}>There is no such screen</Title>
      <Link to="/">Go to Today</Link>
    </Stack>
  )
}
