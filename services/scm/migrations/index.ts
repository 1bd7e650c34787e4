import { CodeHostAppTables } from "./2026-11-21-code-host-app.ts";
import { MergedInto } from "./2026-11-21-merged-into.ts";
import { FromTemplate } from "./2026-11-22-from-template.ts";
import { Claims } from "./2026-11-23-claims.ts";
import { WaitingEvents } from "./2026-11-26-waiting-events.ts";
import { BegunApps } from "./2026-11-27-begun-apps.ts";
import { ForwardedRuns } from "./2026-11-28-forwarded-runs.ts";
import { StandardNames } from "./2026-11-29-standard-names.ts";
import { CheckNames } from "./2026-12-02-check-names.ts";
import { Connections } from "./2026-12-14-connections.ts";
import { MirroredThreads } from "./2026-12-20-mirrored-threads.ts";
import { Lanes } from "./2026-12-24-lanes.ts";
import { Discussions } from "./2026-12-28-discussions.ts";
import { GiteaConnections } from "./2026-12-29-gitea.ts";
import { WrittenReplies } from "./2026-12-30-written-replies.ts";
import { DueHooks } from "./2026-12-31-due-hooks.ts";
import { HandledEvents } from "./2026-12-31-handled-events.ts";
import { BitbucketConnections } from "./2027-01-01-bitbucket.ts";
import { SweptRows } from "./2027-01-02-swept-rows.ts";
import { BuildComments } from "./2027-01-03-build-comments.ts";
import { PeriodicTasks } from "./2027-01-04-periodic-tasks.ts";
import { TeamIndexes } from "./2027-01-05-team-indexes.ts";

/** The migrations in order. Never change a name, or a released migration. */
export const migrations = [
  { name: "2026-11-21-code-host-app", class: CodeHostAppTables },
  { name: "2026-11-21-merged-into", class: MergedInto },
  { name: "2026-11-22-from-template", class: FromTemplate },
  { name: "2026-11-23-claims", class: Claims },
  { name: "2026-11-26-waiting-events", class: WaitingEvents },
  { name: "2026-11-27-begun-apps", class: BegunApps },
  { name: "2026-11-28-forwarded-runs", class: ForwardedRuns },
  { name: "2026-11-29-standard-names", class: StandardNames },
  { name: "2026-12-02-check-names", class: CheckNames },
  { name: "2026-12-14-connections", class: Connections },
  { name: "2026-12-20-mirrored-threads", class: MirroredThreads },
  { name: "2026-12-24-lanes", class: Lanes },
  { name: "2026-12-28-discussions", class: Discussions },
  { name: "2026-12-29-gitea", class: GiteaConnections },
  { name: "2026-12-30-written-replies", class: WrittenReplies },
  { name: "2026-12-31-handled-events", class: HandledEvents },
  { name: "2026-12-31-due-hooks", class: DueHooks },
  { name: "2027-01-01-bitbucket", class: BitbucketConnections },
  { name: "2027-01-02-swept-rows", class: SweptRows },
  { name: "2027-01-03-build-comments", class: BuildComments },
  { name: "2027-01-04-periodic-tasks", class: PeriodicTasks },
  { name: "2027-01-05-team-indexes", class: TeamIndexes },
];
