/** An entry of a bulk. It must not know the generated endpoints, which make entries. */

declare const answered: unique symbol

/** A write to be sent in a bulk, and what it will answer. */
export type Entry<Answer> = {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly idempotency_key: string
  readonly if_match?: string | null | undefined
  readonly body?: Readonly<Record<string, unknown>> | null | undefined
} & { readonly [answered]?: Answer }
