/** How long a statement of a pool may take, and how long a transaction may be idle. */
export const within = (ms: number) => ({ statementTimeoutMs: ms, idleInTransactionTimeoutMs: ms })
