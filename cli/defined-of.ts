/**
 * Returns the fields that are set. Undefined and empty texts, as in environment variables, count as unset.
 */
export function definedOf<T extends object>(fields: T): Partial<T> {
  const said: Partial<T> = { ...fields };
  for (const [name, value] of Object.entries(fields))
    if (value === undefined || value === "") Reflect.deleteProperty(said, name);
  return said;
}
