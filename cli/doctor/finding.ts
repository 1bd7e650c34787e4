/** What was looked at, and how it is. */
export interface Finding {
  /** As `Browser`. */
  name: string;
  /** `warning`: it works, and less well than it could; `fault`: a check cannot be done, or would be wrong. */
  state: "ok" | "warning" | "fault";
  /** What was found. */
  said: string;
  /** What to do; null where nothing is. */
  fix: string | null;
}

export const ok = (name: string, said: string): Finding => ({ name, state: "ok", said, fix: null });
export const warning = (name: string, said: string, fix: string | null): Finding => ({
  name,
  state: "warning",
  said,
  fix,
});
export const fault = (name: string, said: string, fix: string | null): Finding => ({
  name,
  state: "fault",
  said,
  fix,
});

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
