import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "mocha";
import { advanceDueChecks } from "../../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../../services/scm/checks/check.store.ts";
import { completeCheck } from "../../../../services/scm/checks/complete-check.ts";
import type { DeliveryAnswer } from "../../../../shared/contracts/platform/delivery.ts";
import type { RunView } from "../../../../shared/contracts/runs/runs.ts";
import type { DatabaseKind } from "../../databases/databases.ts";
import type { HostedCheck } from "../../fakes/code-host/hosted-repository.ts";
import { type HostedPull, HostedRepository } from "../../fakes/code-host/hosted-repository.ts";
import { makeScreenshot } from "../../fixtures/run-views.ts";
import { deliver, ScmTestContext } from "./scm-context.ts";

export const PREVIEW = "https://site-abc.previews.example";

/** A callback's body for the first run. */
export const COMPLETION = {
  runId: "run_0",
  conclusion: "passed",
  counts: { unchanged: 3 },
  reportUrl: "https://vrs.example/r",
};

/** A repository with the app and a pull request, and its events. */
export class PullTestContext {
  readonly context: ScmTestContext;
  repository = new HostedRepository("octo", "site");
  pull: HostedPull;

  private constructor(context: ScmTestContext) {
    this.context = context;
    this.pull = this.repository.open("feature/login");
  }

  /**
   * Starts a context for a suite and resets it before each test. No test may make the code host complain.
   * @param started receives the context before the first test
   */
  static of(suite: Mocha.Suite, kind: DatabaseKind, started: (on: PullTestContext) => void): void {
    suite.timeout(60_000);
    kind.needed();
    let on: PullTestContext | undefined;
    before(async () => {
      on = new PullTestContext(await ScmTestContext.start(kind));
      started(on);
    });
    beforeEach(() => on?.reset());
    afterEach(() => assert.deepEqual(on?.context.host.complaints, []));
    after(() => on?.context.stop());
  }

  /** Replaces the repository with a new one. */
  async reset(name = "site"): Promise<void> {
    await this.context.reset();
    this.repository = new HostedRepository("octo", name);
    this.context.host.install(this.repository);
    this.pull = this.repository.open("feature/login");
  }

  opened(action = "opened"): Promise<DeliveryAnswer> {
    return this.context.send("pull_request", this.context.pullEvent(this.repository, this.pull, action));
  }

  deployed(url: string | null = PREVIEW, more: object = {}): Promise<DeliveryAnswer> {
    return this.context.send(
      "status",
      this.context.statusEvent(this.repository, this.pull.head.sha, url, more),
    );
  }

  /** Presses a button of the check run. */
  press(check: HostedCheck, action: object, id = 7, of = this.repository): Promise<DeliveryAnswer> {
    return this.context.send("check_run", this.pressed(check, action, id, of));
  }

  /** Returns the event of a pressed button, with the check run as it is now. */
  pressed(check: HostedCheck, action: object, id = 7, of = this.repository): object {
    return {
      check_run: structuredClone(check),
      sender: { id, login: `person-${id}` },
      ...action,
      ...this.context.host.event(of),
    };
  }

  theCheck(): HostedCheck {
    assert.equal(this.repository.checks.length, 1);
    const [check] = this.repository.checks;
    assert.ok(check);
    return check;
  }

  /** Opens the pull request and reports its preview, which starts the run. */
  async begin(): Promise<HostedCheck> {
    await this.opened();
    const { status, body } = await this.deployed();
    assert.deepEqual([status, this.context.host.complaints], [200, []], JSON.stringify(body));
    return this.theCheck();
  }

  /** Ends the first run. */
  async end(conclusion: RunView["conclusion"], shots = [makeScreenshot()]): Promise<void> {
    this.context.cloud.end("run_0", conclusion, shots);
    await wakeCheckOfRun(this.context.em(), "run_0");
    await advanceDueChecks(this.context.node);
  }

  complete(
    checkRunId: string | number,
    body: object,
    secret = this.context.host.env.SERVICE_CALLBACK_SECRET,
  ): Promise<DeliveryAnswer> {
    const params = { checkRunId: String(checkRunId) };
    const headers = { Authorization: `Bearer ${secret}` };
    return completeCheck(this.context.node, deliver(headers, JSON.stringify(body), params));
  }
}
