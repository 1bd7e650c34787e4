import type { EntityManager } from "../../mixins/database.ts";
import type { SingleFlight } from "../../shared/async.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { DirectUploads, ImageStore } from "../../shared/contracts/image-store.ts";
import type { WorkQueue } from "../../shared/contracts/work-queue.ts";
import type { Links } from "../../shared/links/links.ts";
import type { Tracer } from "../../shared/tracing/work-scope.ts";
import type { FullTeams } from "./capsules/full-teams.ts";
import type { HeldTime } from "./capture/dispatch.store.ts";
import type { EndedRuns } from "./capture/ended-runs.ts";
import type { JobTokens } from "./capture/job-tokens.ts";
import type { RenderingFleet } from "./capture/rendering-fleet.ts";
import type { RecentComparisons } from "./comparisons/recent-comparisons.ts";

/** The dependencies of this service's use cases. */
export interface RunsContext {
  /** Returns a new unit of work. */
  em(): EntityManager;
  queue: WorkQueue;
  /** Undefined if tracing is off. */
  tracer?: Tracer | undefined;
  ended: EndedRuns;
  /** Runs that are known to be rendering. Every route reports it, and it is written once. */
  rendering: Set<string>;
  /** Dispatches captures, one dispatch at a time. */
  dispatches: SingleFlight;
  /** Publishes stored events, one batch at a time. */
  publishing: SingleFlight;
  comparisons: RecentComparisons;
  fullTeams: FullTeams;
  /** Reported slot times by run that this node hasn't charged yet. */
  held: Map<string, HeldTime>;
  /** The renderers, and how their browsers draw. */
  fleet: RenderingFleet;
  /** Logs a failure that will be corrected later. */
  warn(error: unknown, what: string): void;
  /** Logs information for operators. */
  inform(what: string): void;
  /** Counts a run that ended, for the metrics. */
  countEnded(outcome: string): void;
  bus: Bus;
  pendingEvents: PendingEvents;
  links: Links;
  /** Signs jobs and verifies results. */
  tokens: JobTokens;
  images: ImageStore;
  /** Files and indexes of archives by their SHA-256. */
  archiveFiles: ImageStore;
  /** Most bytes of a team's archives together. */
  archiveTeamBytes: number;
  /** Uploads of clients into the image store itself. Null if they go through the gateway. */
  directUploads: DirectUploads | null;
  /** Time without a request after which an unfinished build fails. */
  buildTimeoutMinutes: number;
  /** URL of the code host's pages. Null without the code-host app. */
  codeHostUrl: string | null;
  /** Addresses that can be rendered. */
  policy: AddressPolicy;
}

/** Events that are being published. Only a stopping node waits for them. */
export class PendingEvents {
  readonly #pending = new Set<Promise<void>>();

  /** @param event a publication by the bus, which never rejects */
  add(event: Promise<void>): void {
    this.#pending.add(event);
    void event.finally(() => this.#pending.delete(event));
  }

  /** Waits for all events that are being published now. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
