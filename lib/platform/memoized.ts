/** Caches the result of a function for an object, as long as the object exists. */
export function memoized<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, T>()
  return key => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

/** As `memoized`, for a function of an object and a text. */
export function memoizedBy<K extends object, B extends string, T>(make: (key: K, by: B) => T): (key: K, by: B) => T {
  const made = memoized((_: K) => new Map<B, T>())
  return (key, by) => {
    const known = made(key)
    const value = known.get(by) ?? make(key, by)
    known.set(by, value)
    return value
  }
}
