/** Importers whose rows are no records: they take one row after another. */
import type { Importer, Outcome, Row } from './kind.ts'

/** @param take null: the row is kept */
export const each =
  (take: (row: Row) => Promise<Outcome | null>): Importer['take'] =>
  async rows => {
    const outcomes = []
    for (const row of rows) {
      const outcome = await take(row)
      if (outcome !== null) outcomes.push({ line: row.line, outcome })
    }
    return outcomes
  }
