/** `reconcile`: checks that the books agree with each other, and shows where they do not. lib/tools/reconcile has the checks. */
import { tenantExists } from '../../access/tenants.ts'
import { cellsOf } from '../../platform/cells.ts'
import { type Reconciliation, reconcile } from '../reconcile/reconcile.ts'
import { openForSlices, reconcileInSlices, type SlicedRun } from '../reconcile/slices.ts'
import { type CliCommand, type Output, Refused, UsageError, type World, type WorldCell } from './command.ts'
import { cellOf, poolOf } from './in-cells.ts'
import { bar } from './progress.ts'
import { table } from './table.ts'
import { optionalTenant, tenantIn } from './tenant-option.ts'

const SHARE = /^(?:0?\.\d{1,3}|1(?:\.0*)?)$/

const command: CliCommand = {
  words: ['reconcile'],
  summary: 'Prove that balances equal movements; exit 1 and a table where not',
  options: {
    ...optionalTenant('only this tenant (default all)'),
    share: {
      value: 'N',
      help: 'beside traffic: take this share of a processor (0.2), tenant by tenant, on the replica where there is one',
    },
    resume: { help: 'with --share: go on with the run that broke off' },
  },
  examples: ['reconcile', 'reconcile --tenant 1001 --json', 'reconcile --share 0.2', 'reconcile --share 0.2 --resume'],
  run: async (input, world) => {
    const tenantId = tenantIn(input)
    const share = shareIn(input.options['share'])
    if (share !== undefined) {
      if (tenantId !== undefined) throw new UsageError('--share goes through all tenants: leave --tenant out')
      return besideTraffic(world, { share, resume: input.options['resume'] !== undefined })
    }
    if (input.options['resume'] !== undefined) throw new UsageError('--resume needs --share')
    const cells = tenantId === undefined ? await world.cells() : [await cellOf(world, tenantId)]
    if (tenantId !== undefined && !(await tenantExists(await poolOf(world, tenantId), tenantId)))
      throw new Refused(`there is no tenant ${tenantId}`)
    const reports: Reconciliation[] = []
    for (const { databaseUrl } of cells) reports.push(await reconcile(databaseUrl, tenantId))
    const report = {
      tenants: reports.reduce((sum, { tenants }) => sum + tenants, 0),
      checks: reports[0]?.checks ?? [],
      faults: reports.flatMap(({ faults }) => faults),
    }
    return { json: { ...report }, text: words(report), exitCode: report.faults.length === 0 ? 0 : 1 }
  },
}

function shareIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const share = SHARE.test(text) ? Number(text) : 0
  if (share === 0) throw new UsageError('--share must be above 0 and at most 1, such as 0.2')
  return share
}

type Options = { readonly share: number; readonly resume: boolean }

/** All cells one after another. A signal stops at the next pause. */
async function besideTraffic(world: World, options: Options): Promise<Output> {
  let isToStop = false
  const stop = () => {
    isToStop = true
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  const runs: SlicedRun[] = []
  try {
    for (const cell of await world.cells()) {
      const run = await inCell(world, cell, { ...options, isToStop: () => isToStop })
      runs.push(run)
      if (!run.isWhole) throw new Refused(`broken off after ${run.tenants} tenants; --resume goes on`)
    }
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
  const report = {
    tenants: runs.reduce((sum, { tenants }) => sum + tenants, 0),
    checks: runs[0]?.checks ?? [],
    faults: runs.flatMap(({ faults }) => faults),
  }
  const count = runs.reduce((sum, { faultCount }) => sum + faultCount, 0)
  const unseen = count - report.faults.length
  const more =
    unseen === 0 ? '' : `\n\n${unseen} more were found, some perhaps before a break: run without --resume to see all.`
  return {
    json: { ...report, fault_count: count },
    text:
      count > 0 && report.faults.length === 0
        ? `${count} faults were found before the break.${more}`
        : words(report) + more,
    exitCode: count === 0 ? 0 : 1,
  }
}

async function inCell(
  world: World,
  { name, databaseUrl, pool }: WorldCell,
  { share, resume, isToStop }: Options & { readonly isToStop: () => boolean },
): Promise<SlicedRun> {
  const replica =
    world.config.databaseUrl === undefined
      ? undefined
      : cellsOf(world.config).find(cell => cell.name === name)?.databaseReadUrl
  const source = await openForSlices(replica ?? databaseUrl, 'millrace reconcile')
  const began = performance.now()
  let doneBefore: number | undefined
  try {
    const run = await reconcileInSlices({
      source,
      primary: await pool(),
      share,
      resume,
      isToStop,
      onProgress: ({ done, tenants }) => {
        doneBefore ??= done
        const left = ((performance.now() - began) * (1 - done)) / Math.max(done - doneBefore, 1e-9)
        world.progress.show(bar(done, 1, `reconcile of ${name}: ${tenants} tenants${timeLeft(left)}`))
      },
    })
    if (run === null) throw new Refused(`a run is under way in the cell ${name}`)
    return run
  } finally {
    await source.end()
  }
}

const MINUTE_MS = 60_000
/** Beyond a week the rate is not known yet. */
const timeLeft = (ms: number): string =>
  ms > 7 * 24 * 60 * MINUTE_MS
    ? ''
    : `, ${ms < MINUTE_MS ? 'less than a minute' : `${Math.ceil(ms / MINUTE_MS)} min`} left`

function words({ tenants, checks, faults }: Reconciliation): string {
  const scope = `${checks.length} checks over ${tenants} tenant${tenants === 1 ? '' : 's'}`
  if (faults.length === 0) return `${scope}: everything agrees.`
  const rows = faults.map(fault => [fault.tenant_id, fault.check, fault.subject, fault.expected, fault.found])
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return `${scope}: ${count}\n\n${table(['TENANT', 'CHECK', 'SUBJECT', 'EXPECTED', 'FOUND'], rows)}`
}

export const reconcileCommands: readonly CliCommand[] = [command]
