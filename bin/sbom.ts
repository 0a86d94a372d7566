/**
 * `npm run sbom`: prints the packages that run in production, as CycloneDX. `npm sbom` makes the list from a copy of the lock file without
 * the packages that only development needs. (`--omit=dev` would also leave out packages that both need.)
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

type Manifest = { devDependencies?: unknown; optionalDependencies?: unknown }
type Locked = Manifest & { readonly dev?: boolean; readonly optional?: boolean; readonly devOptional?: boolean }
type Lock = { packages: Record<string, Locked> }

const read = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as T
const isLeftOut = ({ dev, optional, devOptional }: Locked): boolean => Boolean(dev || optional || devOptional)
const running = <T extends Manifest>({ devDependencies: _, optionalDependencies: _also, ...rest }: T) => rest

const lock = read<Lock>('package-lock.json')
const kept = Object.entries(lock.packages).filter(([, each]) => !isLeftOut(each))
const folder = mkdtempSync(join(tmpdir(), 'millrace-sbom-'))
try {
  const write = (file: string, value: unknown) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), JSON.stringify(value))
  }
  for (const manifest of ['package.json', 'client/package.json', 'portal/package.json'])
    write(manifest, running(read<Manifest>(manifest)))
  write('package-lock.json', {
    ...lock,
    packages: Object.fromEntries(kept.map(([path, each]) => [path, running(each)])),
  })
  const options = ['--sbom-format=cyclonedx', '--package-lock-only', '--legacy-peer-deps', '--workspaces=false']
  const { status } = spawnSync('npm', ['sbom', ...options], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
