/**
 * The copy of the repository in which mutants are tried: all files that git tracks or would add, as they are now, and links to the
 * packages. The repository itself is never changed.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Mutant, mutated } from './mutant.ts'

/** Makes the copy in an empty folder. */
export function copyOfTree(root: string, folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of new Set(String(listed).split('\0'))) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  // Without it the copy would have to build the portal.
  const portal = 'portal/dist'
  if (existsSync(join(root, portal))) cpSync(join(root, portal), join(folder, portal), { recursive: true })
  linkPackages(root, folder)
}

/** Packages of this repository (`@millrace`) are links to its folders. In the copy they point into the copy. */
function linkPackages(root: string, folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name === '.cache') continue
    if (name === '@millrace') cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(from, name), join(to, name))
  }
}

/** Runs `work` while the copy has the mutant's fault. */
export async function withFault<T>(folder: string, mutant: Mutant, work: () => Promise<T>): Promise<T> {
  const file = join(folder, mutant.file)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, mutated(mutant, text))
  try {
    return await work()
  } finally {
    writeFileSync(file, text)
  }
}
