/** What a form reads and shows beside what was typed: it is sent by it, and does not count as filled in. */
import type { UseFormReturnType } from '@mantine/form'
import { useEffect } from 'react'

/** @param next undefined until it is known. */
export function useShown<Values extends object, Name extends keyof Values & string>(
  form: UseFormReturnType<Values>,
  name: Name,
  next: Values[Name] | undefined,
): void {
  const { getInitialValues, setInitialValues, setFieldValue } = form
  useEffect(() => {
    if (next === undefined) return
    setInitialValues({ ...getInitialValues(), [name]: next })
    setFieldValue(name, next as never)
  }, [next, name, getInitialValues, setInitialValues, setFieldValue])
}
