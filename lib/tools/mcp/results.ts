/** Answers and refusals in the form of the protocol. They never contain a stack or a header of a request. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, ConnectionError } from '../../../client/src/index.ts'
import { type Answer, ToolRefusal } from './tool.ts'

/** One sentence of ours, then the records as JSON: their texts are quoted, and never mixed with our words. */
export function answerResult({ words, data }: Answer): CallToolResult {
  return {
    content: [
      { type: 'text', text: words },
      { type: 'text', text: JSON.stringify(data) },
    ],
    structuredContent: { ...data },
  }
}

/** The service's refusal; undefined for a bug. */
export function refusalResult(error: unknown): CallToolResult | undefined {
  if (error instanceof ApiError || error instanceof ToolRefusal) {
    const { code, message, request_id } = error
    return refusal({ error: code, message, request_id })
  }
  if (error instanceof ConnectionError) {
    const message =
      'the service gave no answer; a write that was applied may have happened, and applying it again is safe'
    return refusal({ error: 'service_unavailable', message, request_id: null })
  }
  return undefined
}

export function bugResult(): CallToolResult {
  return refusal({ error: 'internal_error', message: 'an unexpected fault of this server', request_id: null })
}

/** Text only: clients check structured content with the schema of the tool's answers, some of them for refusals, too. */
function refusal(body: { error: string; message: string; request_id: string | null }): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] }
}
