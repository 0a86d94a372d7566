/** Makes PostgreSQL send the plan of every statement that a pool runs, with what each scan really read, and judges it. */
import type { Client } from 'pg'

/** The part of a plan's node that is used here. */
type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly 'Subplan Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** What one scan of a table or an index read, over all its loops. */
export type Scan = {
  readonly statement: string
  readonly table: string
  readonly index: string
  readonly rows: number
  readonly blocks: number
  readonly loops: number
  /** The name of the CTE that contains the scan, or an empty text. */
  readonly within: string
}

/**
 * Makes all later connections to the client's database plan as PostgreSQL does for a prepared statement that ran five times (for any
 * parameters, by the average tenant), and send each plan as a notice, those of functions and foreign keys too.
 */
export async function tellPlans(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const settings = {
    plan_cache_mode: 'force_generic_plan',
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter database ${rows[0]?.name} set ${name} = '${value}'`)
}

/** The scans of a plan in PostgreSQL's notice; none for any other notice. */
export function scansOf(notice: string): readonly Scan[] {
  const plan = /^duration: .* plan:\n([\s\S]*)$/.exec(notice)?.[1]
  if (plan === undefined) return []
  const told = JSON.parse(plan) as { readonly 'Query Text': string; readonly Plan: PlanNode }
  return scansBelow(told.Plan, { statement: told['Query Text'], within: '' })
}

const blocksOf = (node: PlanNode): number => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)

function scansBelow(node: PlanNode, at: Pick<Scan, 'statement' | 'within'>): readonly Scan[] {
  const within = node['Subplan Name']?.startsWith('CTE ') ? node['Subplan Name'].slice(4) : at.within
  const below = (node.Plans ?? []).flatMap(child => scansBelow(child, { ...at, within }))
  const { 'Relation Name': table, 'Index Name': index, 'Node Type': type } = node
  if (!/Scan$/.test(type) || (table === undefined && index === undefined)) return below
  const loops = node['Actual Loops'] ?? 0
  const each =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  // A node's count includes those of the nodes below it.
  const blocks = blocksOf(node) - (node.Plans ?? []).reduce((sum, child) => sum + blocksOf(child), 0)
  return [
    { ...at, within, table: table ?? '', index: index ?? '', rows: Math.round(each * loops), blocks, loops },
    ...below,
  ]
}
