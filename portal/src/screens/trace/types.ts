/** A trace of a batch, as screens show it. */
import type { BatchTrace, BatchTraceRow } from '@millrace/client'
import type { Exact } from '../../exact.ts'

export type Trace = Exact<BatchTrace>
export type Row = Exact<BatchTraceRow>
