/**
 * Returns an error as it is logged: its type, message, and stack. Database errors also carry their SQL with
 * its values, and the row. A run's row may hold the headers that open a staging site.
 */
export function logError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const detail = "detail" in error && typeof error.detail === "string" ? error.detail : "";
  const withoutRow = (text: string) => (detail === "" ? text : text.replaceAll(detail, "omitted"));
  return {
    type: error.name,
    message: withoutRow(error.message),
    stack: withoutRow(error.stack ?? ""),
    ...("code" in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: logError(error.cause) }),
  };
}
