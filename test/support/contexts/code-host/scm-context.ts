import { randomInt, randomUUID } from "node:crypto";
import { CheckRunEntity } from "../../../../services/scm/checks/check-run.entity.ts";
import type { Account, ApprovalResult, CloudApi } from "../../../../services/scm/cloud-api/cloud-api.ts";
import { GitHubApp } from "../../../../services/scm/code-host/github/github-app.ts";
import { GitHubHost } from "../../../../services/scm/code-host/github/github-host.ts";
import { migrations } from "../../../../services/scm/migrations/index.ts";
import { PreviewCache } from "../../../../services/scm/pull-requests/preview-cache.ts";
import type { ScmContext } from "../../../../services/scm/scm-context.ts";
import { receiveWebhook } from "../../../../services/scm/webhooks/receive-webhook.ts";
import { addressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import { loadConfig } from "../../../../shared/config.ts";
import type { Scm } from "../../../../shared/contracts/code-host/scm.ts";
import type { Merged, MergedInto } from "../../../../shared/contracts/code-host/scm-actions.ts";
import type { Delivery, DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import {
  MIRROR_BOUNDS,
  type MirroredReply,
  type MirroredThread,
  type MirroredThreads,
  type MirrorSetting,
} from "../../../../shared/contracts/reviews/mirror.ts";
import type { RunView } from "../../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../../shared/contracts/runs/screenshots.ts";
import {
  type SubmitRun,
  type SubmitRunInput,
  submitRunBody,
} from "../../../../shared/contracts/runs/submit-run.ts";
import { DatabaseNode } from "../../databases/database-node.ts";
import type { DatabaseKind, TestDatabase } from "../../databases/databases.ts";
import { CodeHostAppServer } from "../../fakes/code-host/code-host-app.ts";
import type { HostedPull, HostedRepository } from "../../fakes/code-host/hosted-repository.ts";
import { makeRun } from "../../fixtures/run-views.ts";
import { ageScmRows, deleteScmRows } from "../../rows/scm-rows.ts";

/** Returns the commit that the API shows of a run. */
function scmViewOf({ missingShas: _missingShas, ...scm }: NonNullable<SubmitRun["scm"]>): Scm {
  return scm;
}

/** A Cloud API whose runs end as a test decides. */
export class TestCloud implements CloudApi {
  readonly runs = new Map<string, RunView>();
  readonly submitted: { run: SubmitRunInput; key: string }[] = [];
  readonly screenshotsOfRuns = new Map<string, ScreenshotView[]>();
  readonly approvals: { runId: string; account: Account }[] = [];
  readonly canceled: string[] = [];
  readonly threadsOfRuns = new Map<string, MirroredThread[]>();
  mirrorSetting: MirrorSetting = "private";
  /** The changes of threads that came from the code host. */
  readonly resolutions: { threadId: string; by: string | null }[] = [];
  readonly replies = new Map<string, Omit<MirroredReply, "teamId">>();
  /** A project whose approvals cannot be carried. */
  uncarried = "";
  readonly carried: ({ of: string; into: MergedInto } & Omit<Merged, "pr">)[] = [];
  /** Thrown by every submission. */
  refusal: Error | null = null;
  /** Accepts submissions, but loses the response. */
  losesResponses = false;
  /** Fails all requests about runs. */
  isDown = false;
  /** Fails only what writes or deletes replies. */
  refusesReplies = false;
  reviewers = new Set<string>();

  async submit(run: SubmitRunInput, key: string): Promise<string> {
    if (this.refusal) throw this.refusal;
    const before = this.submitted.findIndex(each => each.key === key);
    if (before !== -1) return `run_${before}`;
    const id = `run_${this.submitted.length}`;
    this.submitted.push({ run, key });
    const { url, scm } = submitRunBody.parse(run);
    const of = scm && {
      project: `${scm.owner}/${scm.repo}`,
      branch: scm.branch ?? null,
      scm: scmViewOf(scm),
    };
    this.runs.set(id, makeRun({ id, url, ...of }));
    if (this.losesResponses) throw new TypeError("fetch failed");
    return id;
  }

  async run(id: string): Promise<RunView | null> {
    if (this.isDown) throw new TypeError("fetch failed");
    return this.runs.get(id) ?? null;
  }

  async latestRuns(of: Parameters<CloudApi["latestRuns"]>[0]): Promise<RunView[]> {
    if (this.isDown) throw new TypeError("fetch failed");
    const { project, branch, status, limit } = of;
    const isOf = (run: RunView) =>
      run.project === (project ?? run.project) &&
      run.branch === (branch ?? run.branch) &&
      run.status === (status ?? run.status);
    return [...this.runs.values()].filter(isOf).reverse().slice(0, limit);
  }

  async screenshots(runId: string): Promise<ScreenshotView[]> {
    return this.screenshotsOfRuns.get(runId) ?? [];
  }

  async cancel(runId: string): Promise<void> {
    this.canceled.push(runId);
    const run = await this.run(runId);
    if (run) this.runs.set(runId, { ...run, status: "canceled", completedAt: new Date().toISOString() });
  }

  async approve(runId: string, account: Account): Promise<ApprovalResult> {
    if (!this.reviewers.has(account.id))
      return { isRecorded: false, note: `${account.login} may not approve.` };
    this.approvals.push({ runId, account });
    this.end(runId, "approved");
    return { isRecorded: true, note: null };
  }

  async threads(runId: string, after: string | null): Promise<MirroredThreads | null> {
    if (this.isDown) throw new TypeError("fetch failed");
    const { perPage } = MIRROR_BOUNDS;
    const all = this.threadsOfRuns.get(runId) ?? [];
    const from = all.findIndex(({ id }) => id === after) + 1;
    const page = all.slice(from, from + perPage);
    return {
      setting: this.mirrorSetting,
      reportUrl: `https://vrs.example/v1/reports/${runId}?token=secret`,
      threads: page,
      next: from + perPage < all.length ? (page.at(-1)?.id ?? null) : null,
    };
  }

  async putReply(reply: Omit<MirroredReply, "teamId">): Promise<boolean> {
    if (this.isDown || this.refusesReplies) throw new TypeError("fetch failed");
    if (!reply.mayAdd && !this.replies.has(reply.id)) return false;
    this.replies.set(reply.id, reply);
    return true;
  }

  async resolveThread(threadId: string, by: string | null): Promise<void> {
    this.resolutions.push({ threadId, by });
    for (const [runId, threads] of this.threadsOfRuns)
      this.threadsOfRuns.set(
        runId,
        threads.map(thread => (thread.id === threadId ? { ...thread, resolvedBy: by } : thread)),
      );
  }

  async deleteReply(id: string): Promise<void> {
    if (this.isDown || this.refusesReplies) throw new TypeError("fetch failed");
    this.replies.delete(id);
  }

  async carryApprovals(project: string, { pr, ...merged }: Merged, into: MergedInto): Promise<void> {
    if (this.isDown || project === this.uncarried) throw new TypeError("fetch failed");
    this.carried.push({ of: `${project}#${pr}`, ...merged, into });
  }

  end(
    id: string,
    conclusion: RunView["conclusion"],
    screenshots: ScreenshotView[] = this.screenshotsOfRuns.get(id) ?? [],
  ): void {
    const run = this.runs.get(id);
    if (!run) throw new Error(`There is no run ${id}.`);
    const status = conclusion === null ? "failed" : "completed";
    this.runs.set(id, { ...run, status, conclusion, completedAt: new Date().toISOString() });
    this.screenshotsOfRuns.set(id, screenshots);
  }
}

/** A comment that someone writes on a pull request of the fake code host. */
interface WrittenComment {
  body: string;
  action?: string;
  pull?: number;
  id?: number;
  login?: string;
  type?: string;
  /** When it was changed last. */
  minute?: number;
  /** The app that wrote it. */
  app?: number;
  isIssue?: boolean;
}

/** The scm service's use cases on a database, between a fake code host and a fake Cloud API. */
export class ScmTestContext {
  readonly host: CodeHostAppServer;
  readonly database: TestDatabase;
  readonly #node: DatabaseNode;
  readonly warnings: unknown[] = [];
  cloud = new TestCloud();
  /** The Cloud APIs of teams that the app does not work for. */
  readonly #ofTeams = new Map<string, TestCloud>();
  node: ScmContext;

  private constructor(host: CodeHostAppServer, database: TestDatabase, node: DatabaseNode) {
    this.host = host;
    this.database = database;
    this.#node = node;
    this.node = this.makeNode();
  }

  static async start(kind: DatabaseKind): Promise<ScmTestContext> {
    const [host, database] = await Promise.all([CodeHostAppServer.start(), kind.make()]);
    const node = await DatabaseNode.start(database.env, {
      schema: "scm",
      entities: [CheckRunEntity],
      migrations,
    });
    return new ScmTestContext(host, database, node);
  }

  /** Resets everything except the code host's repositories. */
  async reset(env: Record<string, string> = {}): Promise<void> {
    await deleteScmRows(this.em());
    this.cloud = new TestCloud();
    this.#ofTeams.clear();
    this.warnings.length = 0;
    this.host.failures.length = 0;
    this.host.slow.length = 0;
    this.host.complaints.length = 0;
    this.host.requests.length = 0;
    this.host.mayWriteWorkflows = true;
    this.node = this.makeNode(env);
  }

  em = () => this.#node.em();

  #cloudOfTeam(teamId: string): TestCloud {
    const cloud = this.#ofTeams.get(teamId) ?? new TestCloud();
    this.#ofTeams.set(teamId, cloud);
    return cloud;
  }

  /** Returns the context of another node of the same service. */
  makeNode(env: Record<string, string> = {}): ScmContext {
    const { scm: settings, allowHosts } = loadConfig({
      ...this.host.env,
      SERVICE_ALLOW_HOSTS: "localhost",
      ...env,
    });
    if (!settings.app) throw new Error("There is no app.");
    return {
      em: this.em,
      bus: {
        call: async () => Promise.reject(new Error("Nobody is there.")),
        emit: async () => {},
        broadcast: async () => {},
      },
      hasApp: true,
      host: new GitHubHost(new GitHubApp(settings.app)),
      cloudOf: teamId => (teamId === null ? this.cloud : this.#cloudOfTeam(teamId)),
      previews: new PreviewCache(),
      expected: new PreviewCache(),
      settings,
      policy: addressPolicy(allowHosts),
      warn: (error, what) => void this.warnings.push(error, what),
    };
  }

  send(
    event: string,
    payload: object,
    { id = String(randomUUID()), node = this.node } = {},
  ): Promise<DeliveryAnswer> {
    const body = JSON.stringify(payload);
    return receiveWebhook(node, deliver(CodeHostAppServer.headers(event, body, id), body));
  }

  pullEvent(repository: HostedRepository, pull: HostedPull, action = "opened"): object {
    const { number, head, base, fork, merged, mergeSha, author, updatedAt } = pull;
    return {
      action,
      number,
      pull_request: {
        number,
        merged,
        user: { login: author },
        updated_at: updatedAt,
        merge_commit_sha: mergeSha,
        head: { ...head, repo: { id: fork ? repository.id + 1 : repository.id } },
        base: { ...base, repo: { id: repository.id } },
      },
      ...this.host.event(repository),
    };
  }

  /** Returns the event of a comment on a pull request. */
  commentEvent(repository: HostedRepository, comment: WrittenComment): object {
    const { action = "created", pull = 1, id = 5, body, login = "mona", type = "User", minute = 0 } = comment;
    const { app = null, isIssue = false } = comment;
    return {
      action,
      issue: { number: pull, ...(!isIssue && { pull_request: { url: "https://host.example" } }) },
      comment: {
        ...{ id, body, user: { id: 77, login, type } },
        html_url: `https://host.example/octo/site/pull/${pull}#issuecomment-${id}`,
        updated_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
        performed_via_github_app: app === null ? null : { id: app },
      },
      ...this.host.event(repository),
    };
  }

  statusEvent(repository: HostedRepository, sha: string, url: string | null, more: object = {}): object {
    const what = {
      id: randomInt(2 ** 40),
      sha,
      state: "success",
      context: "Platform – deploy",
      target_url: url,
    };
    return { ...what, ...more, ...this.host.event(repository) };
  }

  /** Moves the times of all rows into the past, so that due work is found. */
  age(interval: string): Promise<void> {
    return ageScmRows(this.em(), interval);
  }

  async stop(): Promise<void> {
    await this.#node.stop();
    await this.database.remove();
    await this.host.close();
  }
}

export function deliver(
  headers: Record<string, string>,
  body: string,
  params: Record<string, string> = {},
): Delivery {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { headers: lower, params, body: Buffer.from(body).toString("base64") };
}
