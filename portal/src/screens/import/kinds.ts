/** What can be imported: the kinds of `bin/millrace import` whose rows are records. */
import type { RecordKind } from '../../../../imports/kind.ts'
import { recordKinds } from '../../../../imports/record-kinds.ts'

export const importKinds: ReadonlyMap<string, RecordKind> = new Map(recordKinds.map(kind => [kind.name, kind]))

/** The kind of this name, else the first one. */
export const kindOf = (name: string | undefined): RecordKind =>
  importKinds.get(name ?? '') ?? (recordKinds[0] as RecordKind)
