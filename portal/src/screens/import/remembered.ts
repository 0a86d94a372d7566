/** Which column was what in earlier files, kept in this browser: the next file with the same headings begins with it. No values are kept. */
import type { Mapping } from './rows.ts'

const KEY = 'millrace.import.columns'
const FILES_MAX = 30

type Kept = { readonly file: string; readonly mapping: Mapping }
type File = { readonly kind: string; readonly header: readonly string[] }

const nameOf = ({ kind, header }: File): string => JSON.stringify([kind, ...header])

function all(): readonly Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** Null where no such file was imported before. */
export function remembered(file: File): Mapping | null {
  const mapping = all().find(kept => kept?.file === nameOf(file))?.mapping
  return Array.isArray(mapping) && mapping.length === file.header.length ? mapping : null
}

export function remember(file: File, mapping: Mapping): void {
  const others = all().filter(kept => kept?.file !== nameOf(file))
  try {
    localStorage.setItem(KEY, JSON.stringify([{ file: nameOf(file), mapping }, ...others].slice(0, FILES_MAX)))
  } catch {
    // A browser may keep nothing: columns are guessed again.
  }
}
