import type { Action } from "./teams/team-actions.ts";

/** The limits that all gateways share. */
export type LimitName =
  | "requests"
  | "signIns"
  | "keySignIns"
  | "wrongCredentials"
  | "wrongSignIns"
  | "tokenExchanges"
  | "publicReads";

/** Requests drawn from a bucket. */
export interface DrawnRequests {
  /** 0 if the bucket is empty. */
  requests: number;
  /** Requests left in the bucket. */
  inBucket: number;
}

/** Actions between gateways. */
export interface LimitActions {
  /** Draws from the bucket of a key, which the called gateway keeps for all gateways. */
  "gateway.draw": Action<{ limit: LimitName; key: string }, DrawnRequests>;
}
