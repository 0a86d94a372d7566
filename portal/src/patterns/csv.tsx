/** Tables as files that spreadsheets open: made in the page, of what is shown. */
import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'

/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/

/** RFC 4180. A text that would be a formula begins with an apostrophe: texts come from others. */
const csvOf = (rows: readonly (readonly (string | null)[])[], isOwn: boolean): string =>
  rows.map(row => `${row.map(value => cellOf(value ?? '', isOwn)).join(',')}\r\n`).join('')

function cellOf(value: string, isOwn: boolean): string {
  const harmless = !isOwn && FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

type Props = {
  /** Of the file, without its ending. */
  readonly name: string
  /** What it holds, for who does not see where it stands. */
  readonly label: string
  /** The texts are from a file of the same person: they stay as they were. */
  readonly isOwn?: boolean
  /** The names of the columns first. */
  readonly rows: () => readonly (readonly (string | null)[])[]
}

export function CsvButton({ name, label, rows, isOwn = false }: Props) {
  const download = () => {
    // The mark tells spreadsheets that it is UTF-8.
    const file = new Blob(['\uFEFF', csvOf(rows(), isOwn)], { type: 'text/csv;charset=utf-8' })
    const url = URL.createObjectURL(file)
    const link = document.createElement('a')
    link.href = url
    link.download = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<DownloadIcon aria-hidden />}
      onClick={download}
      aria-label={`${label} as CSV`}
    >
      CSV
    </Button>
  )
}
