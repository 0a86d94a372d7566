/** A finding of the doctor, and the thresholds as pure judgements. This file examines nothing. */

/** `warning`: it works, but not for ever or not for everybody. `fault`: it does not work, or data is at risk. */
export type Status = 'ok' | 'warning' | 'fault'

export type Finding = {
  /** What was examined (`redis policy`). */
  readonly check: string
  readonly status: Status
  /** The state, in a few words. */
  readonly found: string
  /** What to do about it, if anything. */
  readonly advice?: string
}

export const fine = (check: string, found: string): Finding => ({ check, status: 'ok', found })
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'warning',
  found,
  advice,
})
export const fault = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'fault',
  found,
  advice,
})

/** Compares a version such as `7.4.1` by its first number with the oldest that works and the oldest that is tested. */
export function judgeVersion(
  check: string,
  version: string,
  { needed, tested }: { readonly needed: number; readonly tested: number },
): Finding {
  const major = Number.parseInt(version, 10)
  if (major >= tested) return fine(check, version)
  if (major >= needed) return warning(check, version, `upgrade to ${tested} or newer: this version is not tested`)
  return fault(check, version, `upgrade to ${tested} or newer: this version lacks what the service needs`)
}

const SKEW_WARNING_MS = 1_000
const SKEW_FAULT_MS = 5_000

/**
 * Expiry of keys, request rates and telemetry depend on the clock of each machine.
 * @param skewMs the other clock minus this one's; its uncertainty is half the time of the question
 */
export function judgeSkew(check: string, skewMs: number, uncertaintyMs: number): Finding {
  const sure = Math.max(0, Math.abs(skewMs) - uncertaintyMs)
  const found = `${skewMs < 0 ? 'behind' : 'ahead of'} this machine by ${(Math.abs(skewMs) / 1000).toFixed(2)} s`
  const advice = 'synchronise the clocks of all machines (chrony, systemd-timesyncd)'
  if (sure > SKEW_FAULT_MS) return fault(check, found, advice)
  return sure > SKEW_WARNING_MS ? warning(check, found, advice) : fine(check, found)
}

/** `4 s`, `12 min`, `3 h`, `2 d` */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}
