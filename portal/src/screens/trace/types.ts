/** A trace of a batch, as screens show it. */
import type { BatchTrace, BatchTraceRow } from '../../records.ts'

export type Trace = BatchTrace
export type Row = BatchTraceRow
