import type { Action } from "./teams/team-actions.ts";

/** The limits that hold over all gateways. */
export type LimitName = "requests" | "signIns" | "keySignIns" | "wrongCredentials" | "wrongSignIns";

/** Requests drawn from a bucket. */
export interface DrawnRequests {
  /** 0 where the bucket is empty. */
  requests: number;
  /** How many are left in the bucket. */
  inBucket: number;
}

/** What gateways offer each other. */
export interface LimitActions {
  /** Draws from the bucket of a key that the asked gateway keeps for all. */
  "gateway.draw": Action<{ limit: LimitName; key: string }, DrawnRequests>;
}
