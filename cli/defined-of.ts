/** What of it is said: neither undefined nor an empty text, as variables of an environment may be. */
export function definedOf<T extends object>(fields: T): Partial<T> {
  const said: Partial<T> = { ...fields };
  for (const [name, value] of Object.entries(fields))
    if (value === undefined || value === "") Reflect.deleteProperty(said, name);
  return said;
}
