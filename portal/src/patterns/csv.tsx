/** Tables as files for spreadsheets, made in the page. */
import { Button, Group, Text } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { countText } from '../format.tsx'
import { useSession } from '../session.tsx'
import type { Columns } from './data-table.tsx'
import { Failure } from './failure.tsx'
import { usePlaceTitle } from './places.tsx'
import { readUnits } from './units.tsx'

/** A spreadsheet reads a cell with this beginning as a formula. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/

/** A number below 0 begins like a formula, but is none. */
const NUMBER = /^-?\d+(\.\d+)?$/

/** CSV as in RFC 4180. A text that could be a formula begins with an apostrophe, because texts come from other people. */
const csvOf = (rows: readonly (readonly (string | null)[])[], isOwn: boolean): string =>
  rows.map(row => `${row.map(value => cellOf(value ?? '', isOwn)).join(',')}\r\n`).join('')

function cellOf(value: string, isOwn: boolean): string {
  const harmless = !isOwn && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

type Props = {
  /** The file name without its ending. */
  readonly name: string
  /** The content in words, for screen readers. */
  readonly label: string
  /** The texts come from a file of the same person, so they stay unchanged. */
  readonly isOwn?: boolean
  /** The first row has the names of the columns. */
  readonly rows: () => readonly (readonly (string | null)[])[]
}

const fileName = (name: string): string => `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`

function download(name: string, parts: readonly string[]): void {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  const file = new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const common = { variant: 'default', size: 'xs', leftSection: <DownloadIcon aria-hidden /> } as const

export const CsvButton = ({ name, label, rows, isOwn = false }: Props) => (
  <Button {...common} onClick={() => download(name, [csvOf(rows(), isOwn)])} aria-label={`${label} as CSV`}>
    CSV
  </Button>
)

const ownUnit = (_row: unknown, _placeTitle: unknown, unit: string | null) => unit

type AllProps<Row> = {
  readonly title: string
  readonly columns: Columns<Row>
  readonly pages: (signal: AbortSignal) => AsyncIterable<readonly Row[]>
}

/** A file of all rows of a list, which are read for it. It shows the progress and can be stopped. */
export function CsvOfAll<Row>({ title, columns, pages }: AllProps<Row>) {
  const session = useSession()
  const placeTitle = usePlaceTitle()
  const [read, setRead] = useState(0)
  const stopped = useRef(new AbortController())
  useEffect(() => () => stopped.current.abort(), [])
  const reading = useMutation<void, Error, void>({
    mutationFn: async () => {
      const controller = new AbortController()
      const { signal } = controller
      stopped.current = controller
      const counted = columns.find(column => column.goods)
      const fields = columns.flatMap(one => [
        ...(one.says ? [{ header: one.header, says: one.says }] : []),
        ...(one === counted ? [{ header: 'Unit', says: ownUnit }] : []),
        ...(one.beside ? [one.beside] : []),
      ])
      const parts = [csvOf([fields.map(({ header }) => header)], false)]
      let count = 0
      setRead(0)
      for await (const rows of pages(signal)) {
        if (signal.aborted) return
        const units = counted?.goods ? await readUnits(session, rows.map(counted.goods)) : []
        const cells = rows.map((row, index) => fields.map(({ says }) => says(row, placeTitle, units[index] ?? null)))
        parts.push(csvOf(cells, false))
        count += rows.length
        setRead(count)
      }
      if (!signal.aborted) download(title.toLowerCase(), parts)
    },
  })
  const cancel = () => {
    stopped.current.abort()
    reading.reset()
  }
  const isStopped = stopped.current.signal.aborted
  return (
    <>
      {reading.isPending && !isStopped ? (
        <Group gap="xs">
          <Text size="sm" role="status">
            {countText(read)} rows read
          </Text>
          <Button variant="default" size="xs" onClick={cancel}>
            Cancel
          </Button>
        </Group>
      ) : (
        <Button {...common} onClick={() => reading.mutate()} aria-label={`${title} as CSV`}>
          CSV
        </Button>
      )}
      {reading.error && !isStopped && (
        <Failure error={reading.error} title="The file could not be made" onRetry={() => reading.mutate()} />
      )}
    </>
  )
}
