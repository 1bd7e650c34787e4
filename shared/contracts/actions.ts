import type { FleetWork, RenderLoad } from "./fleet.ts";
import type {
  Approved,
  CreatedKey,
  CreateKey,
  KeyList,
  ListRunsQuery,
  ListScreenshotsQuery,
  Rejected,
  Role,
  RunList,
  RunView,
  ScreenshotList,
  SubmitRun,
  SubmittedRun,
} from "./http.ts";
import type { ReportPage } from "./report-page.ts";

/** Who does something: an API key, or a person who has signed in. */
export interface Actor {
  kind: "key" | "user";
  id: string;
  /** What people know it by: the key's name, the person's login. */
  name: string;
}

/** Who calls, and as what in which team: set by the gateway, carried in the message's meta. */
export interface Caller {
  teamId: string;
  role: Role;
  actor: Actor;
}

/** An action's parameters and result. */
interface Action<Params, Result> {
  params: Params;
  result: Result;
}

/** Every action that one service offers to the others. */
export interface Actions {
  /** The id is its caller's to make, so that a message that comes twice is one run. */
  "runs.submit": Action<{ id: string; body: SubmitRun; idempotencyKey?: string }, SubmittedRun>;
  "runs.get": Action<{ id: string }, RunView>;
  "runs.list": Action<{ query: ListRunsQuery }, RunList>;
  "runs.cancel": Action<{ id: string }, RunView>;
  "runs.screenshots": Action<{ runId: string; query: ListScreenshotsQuery }, ScreenshotList>;
  /** A part of a report; with a token in place of a caller. */
  "runs.report": Action<{ id: string; token?: string; cursor?: string }, ReportPage>;
  "runs.approve": Action<{ runId: string; screenshots?: string[] }, Approved>;
  "runs.reject": Action<{ runId: string; screenshots?: string[]; reason: string }, Rejected>;
  /** The key that signs the links of reports and images; never leaves the nodes. */
  "runs.linkKey": Action<Record<string, never>, string>;
  /** For the operator: of all teams. */
  "runs.fleet": Action<Record<string, never>, FleetWork>;

  /** Of the node that is asked. */
  "renderer.load": Action<Record<string, never>, RenderLoad>;

  /** Null for a key that is unknown or revoked. */
  "teams.authenticate": Action<{ keyHash: string }, Caller | null>;
  "teams.createKey": Action<CreateKey, CreatedKey>;
  "teams.listKeys": Action<{ limit: number; cursor?: string }, KeyList>;
  "teams.revokeKey": Action<{ id: string }, null>;
}

export type ActionName = keyof Actions;
