import type { LinkRules } from "../links/link-rules.ts";
import type { BillingView, PaidPlan, PaymentPage } from "./billing/billing.ts";
import type { Plan, Usage, UsageHistory } from "./billing/usage.ts";
import type { ArchiveActions } from "./builds/archives.ts";
import type { BuildActions } from "./builds/builds.ts";
import type { ScreenshotKey } from "./capture/screenshot-key.ts";
import type { CodeHostActions } from "./code-host/code-host.ts";
import type { ConnectionActions } from "./code-host/connections.ts";
import type { Merged, MergedInto, ScmActions } from "./code-host/scm-actions.ts";
import type { ComparisonActions } from "./comparisons/comparisons.ts";
import type { LookActions } from "./comparisons/looks.ts";
import type { ConfigurationActions } from "./configuration/configuration.ts";
import type { SecretActions } from "./configuration/secrets.ts";
import type { TrialActions } from "./configuration/trials.ts";
import type { FleetWork, RenderLoad } from "./fleet.ts";
import type { LimitActions } from "./limits.ts";
import type { AlertActions } from "./monitors/alert-actions.ts";
import type { ChatAppActions } from "./monitors/chat-apps.ts";
import type { ConditionActions } from "./monitors/conditions.ts";
import type { HttpCheckActions } from "./monitors/http-checks.ts";
import type { IncidentActions } from "./monitors/incidents.ts";
import type { MaintenanceActions } from "./monitors/maintenance.ts";
import type { MonitorActions } from "./monitors/monitor-actions.ts";
import type { ProjectChatActions } from "./monitors/project-chat.ts";
import type { ProjectEmailActions } from "./monitors/project-email.ts";
import type { StatusPageActions } from "./monitors/status-pages.ts";
import type { IgnoreRuleActions } from "./noise/ignore-rules.ts";
import type { NoiseActions } from "./noise/noise.ts";
import type { Delivery, DeliveryAnswer } from "./platform/delivery.ts";
import type { InstallActions } from "./platform/installs.ts";
import type { PlatformActions } from "./platform/platform.ts";
import type { CommentActions } from "./reviews/comments.ts";
import type { DigestActions } from "./reviews/digest.ts";
import type { InboxActions } from "./reviews/inbox.ts";
import type { MirrorActions } from "./reviews/mirror.ts";
import type { ReviewerActions } from "./reviews/reviewers.ts";
import type { Approved, Dismissed, Rejected } from "./reviews/reviews.ts";
import type { BaselineActions } from "./runs/baselines.ts";
import type { ComparedPair, PairComparison } from "./runs/jobs.ts";
import type { OverviewActions } from "./runs/overview.ts";
import type { ProjectActions } from "./runs/projects.ts";
import type { ProofView } from "./runs/proof.ts";
import type { ReportPage, RunOutcome } from "./runs/run-outcomes.ts";
import type { ListRunsQuery, RunList, RunView } from "./runs/runs.ts";
import type { ListScreenshotsQuery, ScreenshotList } from "./runs/screenshots.ts";
import type { DefaultedField, SubmitRun, SubmittedRun, UnsetField } from "./runs/submit-run.ts";
import type { NoticeActions } from "./teams/notices.ts";
import type { Action, TeamActions } from "./teams/team-actions.ts";
import type { TransferActions } from "./transfers/transfers.ts";
import type { WebhookActions } from "./webhooks/webhooks.ts";

/** Every action that a service offers to others. */
export interface Actions
  extends TeamActions,
    AlertActions,
    BaselineActions,
    ProjectActions,
    ArchiveActions,
    BuildActions,
    CommentActions,
    DigestActions,
    ComparisonActions,
    LimitActions,
    LookActions,
    ChatAppActions,
    CodeHostActions,
    ConnectionActions,
    ConfigurationActions,
    InstallActions,
    HttpCheckActions,
    MonitorActions,
    MirrorActions,
    MaintenanceActions,
    StatusPageActions,
    ConditionActions,
    NoiseActions,
    OverviewActions,
    IgnoreRuleActions,
    NoticeActions,
    InboxActions,
    IncidentActions,
    ReviewerActions,
    PlatformActions,
    ProjectChatActions,
    ProjectEmailActions,
    ScmActions,
    SecretActions,
    TransferActions,
    TrialActions,
    WebhookActions {
  /** The caller creates the id, so that a repeated message submits one run. */
  "runs.submit": Action<
    {
      id: string;
      body: SubmitRun;
      unsetFields?: UnsetField[];
      /** Fields of the body with their default. The project's configuration can set them. */
      defaultedFields?: DefaultedField[];
      lenient?: boolean;
      idempotencyKey?: string;
      /**
       * Set if a monitor confirms the result of an earlier run. Pages are captured in fresh contexts and not
       * counted.
       */
      isConfirmation?: true;
      /** The screenshots to capture. Without it, all that the body gives. */
      only?: ScreenshotKey[];
      /** Regions whose renderers capture all pages. Without any, any renderer does. */
      regions?: string[];
    },
    SubmittedRun
  >;
  "runs.get": Action<{ id: string }, RunView>;
  "runs.list": Action<{ query: ListRunsQuery }, RunList>;
  /** Starts to prove which file causes a change. Repeating it changes nothing while the proof runs. */
  "runs.prove": Action<{ id: string }, ProofView>;
  /** Submits an ended run again: all its pages, or only those that failed. */
  "runs.rerun": Action<{ id: string; only?: "failed"; idempotencyKey?: string | undefined }, SubmittedRun>;
  "runs.cancel": Action<{ id: string }, RunView>;
  "runs.screenshots": Action<{ runId: string; query: ListScreenshotsQuery }, ScreenshotList>;
  /**
   * Returns a page of a report. Without a caller, it takes a link's token, or the teams of a signed-in
   * reader.
   */
  "runs.report": Action<{ id: string; token?: string; cursor?: string; teams?: string[] }, ReportPage>;
  "runs.approve": Action<
    { runId: string; screenshots?: string[]; includeMinor?: boolean; note?: string },
    Approved
  >;
  "runs.reject": Action<{ runId: string; screenshots?: string[]; reason: string; noise?: boolean }, Rejected>;
  "runs.dismiss": Action<{ runId: string; screenshots?: string[]; reason: string; own: boolean }, Dismissed>;
  /** A pull request was merged. Its approvals now apply to the target branch. */
  "runs.carryApprovals": Action<
    { teamId: string; project: string; merged: Merged; into: MergedInto },
    { carried: number }
  >;
  /** The key that signs the links of reports and images. It never leaves the nodes. */
  "runs.linkKey": Action<Record<string, never>, string>;
  /** Null if no link of this team or run is open. */
  "runs.linkRules": Action<{ teamId: string; runId: string | null }, LinkRules | null>;
  /** Revokes the links of a run. The response has new ones. */
  "runs.revokeLinks": Action<{ id: string }, RunView>;
  /**
   * Which of these runs have rendered something or ended, and which are still pending. Others were canceled
   * before, or don't exist.
   */
  "runs.rendered": Action<{ ids: string[] }, { rendered: string[]; waiting: string[] }>;
  /** The outcomes of these runs. Missing runs are left out. */
  "runs.outcomes": Action<{ ids: string[] }, RunOutcome[]>;
  /** Deletes the baselines of a deleted monitor, by the project of its first URL. Retention deletes its runs later. */
  "runs.deleteBaselines": Action<{ teamId: string; project: string }, null>;
  /** For the operator, about all teams. */
  "runs.fleet": Action<Record<string, never>, FleetWork>;

  /** Compares two stored images at once, for a caller that waits. Runs use jobs instead, which can't get lost. */
  "differ.compare": Action<ComparedPair, PairComparison>;

  "billing.plan": Action<{ teamId: string }, Plan>;
  /** Counts a run once, even if repeated. Fails with `plan_limit_exceeded` if the allowance is too small. */
  "billing.take": Action<{ runId: string; teamId: string; screenshots: number }, null>;
  /** Returns the allowance of a run. Repeating it changes nothing. */
  "billing.giveBack": Action<{ runId: string }, null>;
  /** An event of the payment provider. */
  "billing.deliver": Action<Delivery, DeliveryAnswer>;
  /** Returns a page on which the caller's team buys or changes a plan. */
  "billing.checkout": Action<{ plan: PaidPlan }, PaymentPage>;
  /** Returns a page on which the team manages its payments. */
  "billing.portal": Action<Record<string, never>, PaymentPage>;
  "billing.account": Action<Record<string, never>, BillingView>;
  "billing.usage": Action<Record<string, never>, Usage>;
  "billing.usageHistory": Action<Record<string, never>, UsageHistory>;

  /** Counts on the called node only. */
  "teams.count": Action<Record<string, never>, number>;
  "renderer.load": Action<Record<string, never>, RenderLoad>;
}

export type ActionName = keyof Actions;
