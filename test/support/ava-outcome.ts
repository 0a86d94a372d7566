/** Owns reading AVA's own report: how many tests passed and how many failed. */
import { stripVTControlCharacters } from 'node:util'

/** Numbers of tests. A hook, an exception outside a test and a test that never ended count as failures. */
export type Outcome = { passed: number; failed: number }

// AVA's TAP report would be simpler to read, but AVA 8 crashes in it on a timeout, and it cuts stack traces.
const PASSED = /^\s*[✔√] /u
const FAILED =
  /^ {2}(\d+) (?:hooks? failed|tests? failed|unhandled rejections?|uncaught exceptions?|tests? remained pending)/

/** Counts line by line; feed it every line of AVA's standard output, then ask for the outcome with AVA's exit code. */
export function avaOutcome(): { line(text: string): void; end(exitCode: number | null): Outcome } {
  let passed = 0
  let failed = 0
  return {
    line: text => {
      const plain = stripVTControlCharacters(text)
      if (PASSED.test(plain)) passed += 1
      failed += Number(FAILED.exec(plain)?.[1] ?? 0)
    },
    // A run that failed without naming a test (a file that does not load), or that ran none, must not look fine.
    end: exitCode => ({ passed, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed }),
  }
}
