import type { EntityManager } from "../../../mixins/database.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";

/** The dependencies of exports and imports. */
export interface TransfersContext {
  em(): EntityManager;
  bus: Bus;
  /** Returns the bus for requests on behalf of the admin who started a transfer. */
  as(caller: Caller): Bus;
  /** Has the rows of exports and imports, by their hash. */
  archiveFiles: ImageStore;
  /** The service's public address. */
  baseUrl: string;
  /** Logs an error that a later attempt will fix. */
  warn(error: unknown, what: string): void;
  /** Starts due transfers soon. */
  wake(): void;
}

/** Longer than most steps take, and renewed by each. A transfer whose worker stopped waits for it. */
export const LEASE_SECONDS = 30;
/** A transfer that still fails then would fail forever, and keep its team from starting another one. */
export const GIVE_UP_DAYS = 3;
/** An export is a copy of everything, so it doesn't stay for long. */
export const EXPORT_KEPT_DAYS = 7;
export const IMPORT_KEPT_DAYS = 90;
