/**
 * A span for every statement within another span: its text, which contains no values, and the number of rows. Pools use it only while
 * traces are on.
 */
import type { Span } from '@opentelemetry/api'
import type { Interceptor } from 'slonik'
import { childSpan, failSpan, isTracing, SpanKind } from './tracing.ts'

const TEXT_LENGTH_MAX = 1_000

/** `select`, `insert`, ...: the first word. After CTEs it is `with`. */
const verbOf = (text: string): string => /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'

/** A statement's span, where traces are on and another span is active. The caller ends it. */
export function statementSpan(sql: string): Span | undefined {
  if (!isTracing()) return undefined
  const text = sql.replace(/\s+/g, ' ').trim()
  return childSpan(verbOf(text), SpanKind.CLIENT, {
    'db.system.name': 'postgresql',
    'db.query.text': text.slice(0, TEXT_LENGTH_MAX),
  })
}

export function traceStatements(): Interceptor {
  const open = new WeakMap<object, Span>()
  const end = (of: object, finish: (span: Span) => void) => {
    const span = open.get(of)
    if (span === undefined) return
    finish(span)
    span.end()
    open.delete(of)
  }
  return {
    name: 'trace-statements',
    beforeQueryExecution: (context, query) => {
      const span = statementSpan(query.sql)
      if (span) open.set(context, span)
      return null
    },
    afterQueryExecution: (context, _query, result) => {
      end(context, span => span.setAttribute('db.response.returned_rows', result.rowCount))
      return null
    },
    queryExecutionError: (context, _query, error) => {
      end(context, span => failSpan(span, error))
      return null
    },
  }
}
