import type { RunView } from "../../shared/contracts/runs/runs.ts";

/** The expected result of an accepted run. */
export interface Accepted {
  id: string;
  screenshots: number;
  /** Number of screenshots by status; null when it may have been canceled in time. */
  counts: Partial<RunView["counts"]> | null;
}

/** An accepted comment. */
export interface Written {
  runId: string;
  /** Differs from that of every other comment. */
  text: string;
  /** Requests that were sent, each of which may have been accepted. */
  attempts: number;
  isResolved: boolean;
}

/** Records what the service accepted, as its users know it. The balance compares the service with it. */
export class Ledger {
  /** By id. */
  readonly runs = new Map<string, Accepted>();
  /** Commits of accepted deliveries. */
  readonly commits: string[] = [];
  readonly monitors: string[] = [];
  /** Accepted comments by id. */
  readonly comments = new Map<string, Written>();
  /** Unexpected responses, as sentences. */
  readonly failures: string[] = [];
  /** Number of actions by name. */
  readonly acts = new Map<string, number>();

  accept(run: Accepted): void {
    const known = this.runs.get(run.id);
    if (known) this.failures.push(`${run.id} was accepted twice, for different requests.`);
    this.runs.set(run.id, run);
  }

  note(act: string): void {
    this.acts.set(act, (this.acts.get(act) ?? 0) + 1);
  }
}
