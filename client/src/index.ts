/** `@millrace/client`: the client of the Millrace integration API. */
export { type BulkOptions, type BulkResult, type BulkResults, writes } from './bulk.ts'
export type { EventStream } from './endpoints.ts'
export type { Entry } from './entry.ts'
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  EventGapError,
  type FieldFault,
  MillraceError,
  RealWriteError,
  TimeoutError,
} from './errors.ts'
export type * from './generated.ts'
export { newKey } from './key.ts'
export type { List, Page } from './list.ts'
export { Millrace } from './millrace.ts'
export type { ClientOptions, ConditionalOptions, ReadOptions, StreamOptions, WriteOptions } from './options.ts'
export { type ResponseFacts, responseOf } from './response.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhook.ts'
