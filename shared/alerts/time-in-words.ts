/** `21 Nov 2026, 13:42 UTC`. */
export function timeInWords(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const options = {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  return `${at.toLocaleString("en-GB", { ...options, timeZone: "UTC" })} UTC`;
}
