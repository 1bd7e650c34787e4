import type { LinkRules } from "../links/link-rules.ts";
import type { BillingView, PaidPlan, PaymentPage } from "./billing/billing.ts";
import type { Plan, Usage } from "./billing/usage.ts";
import type { CodeHostActions } from "./code-host/code-host.ts";
import type { Merged, MergedInto, ScmActions } from "./code-host/scm-actions.ts";
import type { FleetWork, RenderLoad } from "./fleet.ts";
import type { LimitActions } from "./limits.ts";
import type { AlertActions } from "./monitors/alert-actions.ts";
import type { MonitorActions } from "./monitors/monitor-actions.ts";
import type { Delivery, DeliveryAnswer } from "./platform/delivery.ts";
import type { InstallActions } from "./platform/installs.ts";
import type { PlatformActions } from "./platform/platform.ts";
import type { BaselineActions } from "./runs/baselines.ts";
import type { NoiseActions } from "./runs/noise.ts";
import type { Approved, Dismissed, Rejected } from "./runs/reviews.ts";
import type { ReportPage, RunOutcome } from "./runs/run-outcomes.ts";
import type { ListRunsQuery, ListScreenshotsQuery, RunList, RunView, ScreenshotList } from "./runs/runs.ts";
import type { SubmitRun, SubmittedRun, UnsetField } from "./runs/submit-run.ts";
import type { Action, TeamActions } from "./teams/team-actions.ts";

/** Every action that one service offers to the others. */
export interface Actions
  extends TeamActions,
    AlertActions,
    BaselineActions,
    LimitActions,
    CodeHostActions,
    InstallActions,
    MonitorActions,
    NoiseActions,
    PlatformActions,
    ScmActions {
  /** The id is its caller's to make, so that a message that comes twice is one run. */
  "runs.submit": Action<
    {
      id: string;
      body: SubmitRun;
      unsetFields?: UnsetField[];
      lenient?: boolean;
      idempotencyKey?: string;
      /** Set where a monitor confirms what an earlier run found: captured in fresh contexts, and not counted. */
      isConfirmation?: true;
    },
    SubmittedRun
  >;
  "runs.get": Action<{ id: string }, RunView>;
  "runs.list": Action<{ query: ListRunsQuery }, RunList>;
  "runs.cancel": Action<{ id: string }, RunView>;
  "runs.screenshots": Action<{ runId: string; query: ListScreenshotsQuery }, ScreenshotList>;
  /** A part of a report; with a token in place of a caller, or the teams of a reader who signed in. */
  "runs.report": Action<{ id: string; token?: string; cursor?: string; teams?: string[] }, ReportPage>;
  "runs.approve": Action<{ runId: string; screenshots?: string[]; includeMinor?: boolean }, Approved>;
  "runs.reject": Action<{ runId: string; screenshots?: string[]; reason: string; noise?: boolean }, Rejected>;
  "runs.dismiss": Action<{ runId: string; screenshots?: string[]; reason: string; own: boolean }, Dismissed>;
  /** A pull request was merged: what was approved on it holds on that branch from now on. */
  "runs.carryApprovals": Action<
    { teamId: string; project: string; merged: Merged; into: MergedInto },
    { carried: number }
  >;
  /** The key that signs the links of reports and images; never leaves the nodes. */
  "runs.linkKey": Action<Record<string, never>, string>;
  /** Null where no link of this team, or of this run, opens anything. */
  "runs.linkRules": Action<{ teamId: string; runId: string | null }, LinkRules | null>;
  /** Revokes the links of a run; the answer has new ones. */
  "runs.revokeLinks": Action<{ id: string }, RunView>;
  /** Which of these runs have rendered something, or ended, and which still may; the others were canceled before, or are not there. */
  "runs.rendered": Action<{ ids: string[] }, { rendered: string[]; waiting: string[] }>;
  /** How far these runs are; those that are not there are left out. */
  "runs.outcomes": Action<{ ids: string[] }, RunOutcome[]>;
  /** Deletes the baselines of a project that is over; its runs go when their time is over. */
  "runs.deleteBaselines": Action<{ teamId: string; project: string }, null>;
  /** For the operator: of all teams. */
  "runs.fleet": Action<Record<string, never>, FleetWork>;

  "billing.plan": Action<{ teamId: string }, Plan>;
  /** Counts a run, once however often it is asked to; fails as plan_limit_exceeded where too little is left. */
  "billing.take": Action<{ runId: string; teamId: string; screenshots: number }, null>;
  /** Takes that back; the second time it changes nothing. */
  "billing.giveBack": Action<{ runId: string }, null>;
  /** An event of the payment provider. */
  "billing.deliver": Action<Delivery, DeliveryAnswer>;
  /** A page on which the caller's team pays for a plan, or changes to it. */
  "billing.checkout": Action<{ plan: PaidPlan }, PaymentPage>;
  /** A page on which it manages what it pays with and for. */
  "billing.portal": Action<Record<string, never>, PaymentPage>;
  "billing.account": Action<Record<string, never>, BillingView>;
  "billing.usage": Action<Record<string, never>, Usage>;

  /** Of the node that is asked. */
  "teams.count": Action<Record<string, never>, number>;
  "renderer.load": Action<Record<string, never>, RenderLoad>;
}

export type ActionName = keyof Actions;
