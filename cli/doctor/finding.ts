/** One thing that was examined, and its state. */
export interface Finding {
  /** Such as `Browser`. */
  name: string;
  /** `warning`: works, but not as well as it could. `fault`: a check can't run, or would be wrong. */
  state: "ok" | "warning" | "fault";
  /** What was found. */
  said: string;
  /** What to do; null if nothing. */
  fix: string | null;
}

export const ok = (name: string, said: string): Finding => ({ name, state: "ok", said, fix: null });
export const warning = (name: string, said: string, fix: string | null): Finding => ({
  name,
  state: "warning",
  said,
  fix,
});
export const failure = (name: string, said: string, fix: string | null): Finding => ({
  name,
  state: "fault",
  said,
  fix,
});

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
