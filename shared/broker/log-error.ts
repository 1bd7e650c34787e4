/**
 * What the log says of an error: what it is and where. Errors of the database also carry their SQL with its values
 * and the row in question, and a run may hold the headers that open somebody's staging site.
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
