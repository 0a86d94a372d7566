/** Remembers what a function makes of an object, for as long as the object is there. */
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
