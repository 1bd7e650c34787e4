/**
 * Whether a request prefers lenient handling (RFC 7240, section 4.4): to go on without what can't be used. Any other
 * preference is ignored, as the RFC wants it.
 */
export function prefersLenient(header: string | string[] | undefined): boolean {
  const preferences = [header ?? []].flat().join(",").split(",");
  const handling = preferences.map(preference => preference.split(";")[0]?.trim().toLowerCase() ?? "");
  // The first of equal preferences counts.
  const first = handling.find(preference => /^handling\s*=/.test(preference));
  return first !== undefined && /^handling\s*=\s*"?lenient"?$/.test(first);
}
