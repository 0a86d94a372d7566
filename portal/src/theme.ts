/** Colours and sizes. Text must have a contrast of 4.5 to 1 in both colour schemes. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  fontFamily: FONTS,
  headings: { fontFamily: FONTS, fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' } } },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: 'dot', size: 'md', tt: 'none', fw: 500 } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
    InputWrapper: { defaultProps: { labelProps: { fw: 500, fz: 'xs', c: 'dimmed' } } },
    Button: { defaultProps: { size: 'sm' } },
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    // Without this the bullets are white, even on a dark ground.
    Timeline: { styles: { itemBullet: { backgroundColor: 'var(--mantine-primary-color-filled)' } } },
    // Typing filters the options, and Enter takes the first one.
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Modal: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 }, transitionProps: { duration: 100 } } },
  },
})

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-anchor': colors.indigo[8],
    '--mantine-color-red-outline': colors.red[9],
    '--mantine-color-indigo-light': colors.indigo[0],
    '--mantine-color-indigo-light-hover': colors.indigo[0],
    '--mantine-color-indigo-light-color': colors.indigo[9],
    '--page-ground': colors.gray[0],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors.indigo[3],
    // Grey dots of statuses would be invisible on the dark ground.
    '--mantine-color-gray-filled': colors.gray[6],
    '--page-ground': colors.dark[8],
  },
})
