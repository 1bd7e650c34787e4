/** An error of a field, as the service names it. */
export interface FieldFailure {
  path: string;
  message: string;
}

/** Finds the error of a field or of a part of it. @param path below the configuration, such as `sessions.editor.url` */
export function failureAt(failures: readonly FieldFailure[], path: string): string | undefined {
  const whole = `configuration.${path}`;
  return failures.find(failure => failure.path === whole || isPartOf(failure.path, whole))?.message;
}

function isPartOf(path: string, whole: string): boolean {
  return path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
}
