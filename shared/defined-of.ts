/**
 * Returns the fields that are set. Undefined and empty texts, as in environment variables, count as unset.
 */
export function definedOf<T extends object>(fields: T): Partial<T> {
  const provided: Partial<T> = { ...fields };
  for (const [name, value] of Object.entries(fields))
    if (value === undefined || value === "") Reflect.deleteProperty(provided, name);
  return provided;
}
