/**
 * What the parts of the service spent so far, in processor time and bytes: figures by which a fleet is sized
 * (docs/scaling.md). Processor time moves less than throughput when others use the machine. Linux; zero elsewhere.
 */

import { readdir, readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { rows } from '../lib/platform/postgres/postgres.ts'
import type { World } from './types.ts'

const CLOCK_TICK_MS = 10

/** Processor time in ms of the processes, and bytes of Postgres' log and data. */
export type Usage = Readonly<Record<'web' | 'worker' | 'postgres' | 'redis' | 'wal' | 'data', number>>

export async function usageOf({ pool, pids }: World): Promise<Usage> {
  const { wal, data } = await pool.one(rows(v.object({ wal: v.string(), data: v.string() }))`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal, pg_database_size(current_database())::text as data`)
  const [web, worker, redis, postgres] = await Promise.all([
    cpuMs(pids.web),
    cpuMs(pids.worker),
    cpuMs(pids.redis),
    familyMs(pids.postgres),
  ])
  return { web, worker, postgres, redis, wal: Number(wal), data: Number(data) }
}

/** What was spent from one to another, for each of so many. */
export function usagePer(pairs: readonly { readonly from: Usage; readonly to: Usage }[], count: number): Usage {
  const per = (of: keyof Usage) => pairs.reduce((sum, { from, to }) => sum + to[of] - from[of], 0) / count
  return {
    web: per('web'),
    worker: per('worker'),
    postgres: per('postgres'),
    redis: per('redis'),
    wal: per('wal'),
    data: per('data'),
  }
}

export const allMs = ({ web, worker, postgres, redis }: Usage): number => web + worker + postgres + redis

/** Memory of a process. */
export async function memoryMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** The fields of a process behind its name: state, parent, ... (man 5 proc_pid_stat). */
async function statOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
const PARENT = 1
const OWN_TIMES = [11, 12]
const ENDED_CHILDRENS_TIMES = [13, 14]

const sum = (fields: readonly string[], at: readonly number[]) =>
  at.reduce((ticks, field) => ticks + Number(fields[field] ?? 0), 0) * CLOCK_TICK_MS

const cpuMs = async (pid: number): Promise<number> => sum(await statOf(pid), OWN_TIMES)

/** Processor time in ms of a process with its children, also those that have ended. */
export async function familyMs(pid: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const all = await Promise.all(names.filter(name => /^\d+$/.test(name)).map(name => statOf(Number(name))))
  const children = all.filter(fields => fields[PARENT] === String(pid))
  const own = sum(await statOf(pid), [...OWN_TIMES, ...ENDED_CHILDRENS_TIMES])
  return children.reduce((ms, fields) => ms + sum(fields, OWN_TIMES), own)
}
