import type { RunView } from "../../shared/contracts/runs/runs.ts";

/** What a run that was accepted must come to. */
export interface Accepted {
  id: string;
  screenshots: number;
  /** Of its screenshots by status; null where it may have been canceled in time. */
  counts: Partial<RunView["counts"]> | null;
}

/** What was asked of the service and accepted, as its users know it: the balance holds the service to it. */
export class Ledger {
  /** By id. */
  readonly runs = new Map<string, Accepted>();
  /** Commits of deliveries that were taken. */
  readonly commits: string[] = [];
  readonly monitors: string[] = [];
  /** What was answered otherwise than it had to be, in words. */
  readonly faults: string[] = [];
  /** What was done, by name. */
  readonly acts = new Map<string, number>();

  accept(run: Accepted): void {
    const known = this.runs.get(run.id);
    if (known) this.faults.push(`${run.id} was accepted twice, for different requests.`);
    this.runs.set(run.id, run);
  }

  note(act: string): void {
    this.acts.set(act, (this.acts.get(act) ?? 0) + 1);
  }
}
