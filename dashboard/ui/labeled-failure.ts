/**
 * Returns a failure with the label of its field in place of the name that the API has for it.
 * @param failures of a response, by path
 */
export function labeledFailure(
  failures: readonly { path: string; message: string }[],
  path: string,
  label: string,
): string | undefined {
  return failures.find(failure => failure.path === path)?.message.replace(`"${path}"`, label);
}
