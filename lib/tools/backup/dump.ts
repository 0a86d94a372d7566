/** Reads what a dump is, and which program of PostgreSQL restores it. It must not restore it. */
import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { SetupError } from '../embedded/setup-error.ts'
import { pathOf } from '../embedded/system-program.ts'
import { linesOf, rolesIn } from './plain.ts'

const run = promisify(execFile)
/** The server version of the scratch cluster. */
const SERVER_VERSION = 18
/** The list of an archive has a line for each table, index and function. */
const LIST_BYTES_MAX = 64 * 1024 * 1024
const HEAD_BYTES = 8_192

export type Dump = {
  readonly file: string
  /** The program that restores it. */
  readonly program: string
  readonly isPlain: boolean
  /** How many tables have rows in it. */
  readonly tables: number
  /** Roles that a plain dump names and its restore needs. */
  readonly roles: readonly string[]
}

/** @throws SetupError for a file that is no dump, and where no program can restore it */
export async function readDump(file: string): Promise<Dump> {
  const head = await headOf(file)
  if (head.includes('PostgreSQL database dump')) return plainDump(file, head)
  if (head === '' || head.startsWith('PGDMP') || head.includes('toc.dat')) return archive(file)
  throw new SetupError(`${file} is no dump: make one with pg_dump --format=custom. A plain dump must not be compressed`)
}

/** The first bytes of a file; empty for a folder, which pg_dump may have written (--format=directory). */
async function headOf(file: string): Promise<string> {
  const handle = await open(file).catch((error: Error) => {
    throw new SetupError(`${file} cannot be read: ${error.message}`)
  })
  try {
    if ((await handle.stat()).isDirectory()) return ''
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    if (bytesRead === 0) throw new SetupError(`${file} is empty: the backup failed`)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function plainDump(file: string, head: string): Promise<Dump> {
  const program = await programThatReads('psql', file, head)
  let tables = 0
  const roles = new Set<string>()
  let last = ''
  for await (const line of linesOf(file)) {
    if (line.startsWith('COPY ')) tables++
    for (const role of rolesIn(line)) roles.add(role)
    if (line.startsWith('-- PostgreSQL database dump')) last = line
  }
  if (!last.includes('complete')) throw new SetupError(`${file} ends before its end: pg_dump or its copy broke off`)
  return { file, program, isPlain: true, tables, roles: [...roles] }
}

async function archive(file: string): Promise<Dump> {
  const program = await programNamed('pg_restore')
  const { stdout: list } = await run(program, ['--list', file], { maxBuffer: LIST_BYTES_MAX }).catch(
    async (error: { stderr?: string }) => {
      const reason = firstLine(error.stderr ?? '')
      throw reason.includes('unsupported version')
        ? new SetupError(
            `${program} is of version ${await versionOf(program)}, and ${file} is of a newer one: ${ADVICE}`,
          )
        : new SetupError(`${file} is no whole dump: ${reason}`)
    },
  )
  await programThatReads('pg_restore', file, list)
  return { file, program, isPlain: false, tables: list.match(/ TABLE DATA /g)?.length ?? 0, roles: [] }
}

const ADVICE = 'install the PostgreSQL client programs of that version or a newer one, and put them first on PATH'

/** @param text says which pg_dump made the file, and for which server */
async function programThatReads(name: string, file: string, text: string): Promise<string> {
  const program = await programNamed(name)
  const made = Number(/Dumped by pg_dump version: (\d+)/.exec(text)?.[1] ?? /by pg_dump version (\d+)/.exec(text)?.[1])
  const server = Number(/Dumped from database version:? (\d+)/.exec(text)?.[1])
  const version = await versionOf(program)
  if (Number.parseInt(version, 10) < made)
    throw new SetupError(`${program} is of version ${version}, and pg_dump ${made} made ${file}: ${ADVICE}`)
  if (server > SERVER_VERSION)
    throw new SetupError(
      `${file} is of PostgreSQL ${server}, and the scratch server is of ${SERVER_VERSION}: restore it yourself and check its address`,
    )
  return program
}

async function programNamed(name: string): Promise<string> {
  const program = await pathOf(name)
  if (program !== null) return program
  throw new SetupError(
    `there is no ${name} on PATH: install the PostgreSQL client programs (for example "sudo apt-get install postgresql-client")`,
  )
}

async function versionOf(program: string): Promise<string> {
  return /\d+(?:\.\d+)?/.exec((await run(program, ['--version'])).stdout)?.[0] ?? 'unknown'
}

/** The first line of an error from PostgreSQL's programs. Later lines may contain statements and values. */
export const firstLine = (text: string): string =>
  text.split('\n').find(line => /error/i.test(line)) ?? text.split('\n')[0] ?? ''
