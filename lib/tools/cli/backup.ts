/** `backup check`: proves that a backup can be restored, and shows how far its data reach. lib/tools/backup restores it. */
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { keptSecretBox } from '../../platform/secret-box.ts'
import { type Checked, checkDatabase } from '../backup/check.ts'
import { readDump } from '../backup/dump.ts'
import { lastGoodChecks, noteCheck } from '../backup/noted.ts'
import { withRestored } from '../backup/scratch.ts'
import { SetupError } from '../embedded/setup-error.ts'
import { type CliCommand, type Input, Refused, type World } from './command.ts'
import { findingsTable } from './doctor.ts'
import { explain } from './explain.ts'
import { bar } from './progress.ts'
import { withoutPassword } from './values.ts'

const ADDRESS = /^postgres(?:ql)?:\/\//

const check: CliCommand = {
  words: ['backup', 'check'],
  summary: 'Prove that a backup can be restored, and say until when its data reach; exit 1 where something is wrong',
  argument: {
    name: 'FILE|URL',
    help: 'a dump of pg_dump (any format), or the address of a database that you have restored',
  },
  options: {
    folder: {
      value: 'PATH',
      help: `where the scratch cluster lies (default ${tmpdir()}); it needs the database's room`,
    },
    'no-note': { help: 'leave no note in the running installation' },
  },
  details: [
    'A dump is restored into a PostgreSQL of its own on this machine, which is removed at the end. That takes pg_restore (for a plain',
    'dump psql) of the version that made the dump, or a newer one. The running installation is left alone but for a note of the check,',
    'which doctor and the metric millrace_backup_age_seconds show. A database is only read.',
    'One dump holds one cell: check the dump of each.',
  ],
  changes: {
    when: input => notes(input),
    state: async (_input, world) =>
      Object.fromEntries((await lastGoodChecks(await world.pool())).map(({ cell, checked_at }) => [cell, checked_at])),
  },
  examples: ['backup check millrace.dump', 'backup check millrace.dump --no-note --json'],
  run: async (input, world) => {
    const checked = await checkedBackup(input, world)
    const ok = checked.findings.every(({ status }) => status !== 'fault')
    const { cell, reaches, applied, findings, books } = checked
    const noted = notes(input) && (await leaveNote(world, { cell, reaches, ok }))
    return {
      json: {
        ok,
        backup: withoutPassword(input.argument),
        cell,
        reaches,
        tenants: books.tenants,
        migrations_applied: applied,
        checks: findings,
        faults: books.faults,
        noted,
      },
      text: [
        findingsTable(findings),
        '',
        reaches === null
          ? `The backup of the cell ${cell} holds no command.`
          : `The data of the cell ${cell} reach until ${reaches} (the newest command).`,
      ].join('\n'),
      exitCode: ok ? 0 : 1,
    }
  },
}

const notes = ({ options }: Input): boolean => options['no-note'] === undefined

async function checkedBackup({ argument, options }: Input, world: World): Promise<Checked> {
  const { config, dataFolder, progress } = world
  const onStep = (words: string) => progress.show(`backup check: ${words}`)
  const openBox = () => keptSecretBox({ ...config, dataFolder })
  if (ADDRESS.test(argument)) return checkDatabase(argument, { isScratch: false, openBox, onStep })
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Refused('broken off; the scratch cluster is removed'))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    onStep('reads the dump')
    const dump = await readDump(resolve(argument))
    const onTable = (done: number) => progress.show(bar(done, dump.tables, `${done} of ${dump.tables} tables`))
    const restoring = { folder: resolve(options['folder'] ?? tmpdir()), onTable, signal: stopping.signal }
    return await withRestored(dump, restoring, url => checkDatabase(url, { isScratch: true, openBox, onStep }))
  } catch (error) {
    if (stopping.signal.aborted) throw stopping.signal.reason
    if (error instanceof SetupError) throw new Refused(error.message)
    throw error
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

/** @returns whether the note was written; the check counts without it */
async function leaveNote(world: World, note: Parameters<typeof noteCheck>[1]): Promise<boolean> {
  try {
    await noteCheck(await world.pool(), note)
    return true
  } catch (error) {
    world.warn(`the check could not be noted: ${explain(error)}`)
    return false
  }
}

export const backupCommands: readonly CliCommand[] = [check]
