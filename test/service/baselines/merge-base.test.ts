import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { newId } from "../../../shared/ids.ts";
import { person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { type DatabaseKind, MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { TableHold } from "../../support/drivers/table-hold.ts";
import { until } from "../../support/drivers/until.ts";
import { OPEN_AND_DARK } from "../../support/fixtures/sites/job-pages.ts";

/** Commits are named by a letter. */
const sha = (letter: string) => letter.repeat(40);
const short = (letter: string) => letter.repeat(7);
const UNKNOWN = ", because the state at the merge base is unknown";

const mergeBaseOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    database.needed();
    let made: TestDatabase;
    let context: ReviewTestContext;
    let project: string;

    before(async () => {
      made = await database.make();
      context = await ReviewTestContext.start(made.env);
    });
    after(async () => {
      await context?.stop();
      await made?.remove();
    });

    type Run = Parameters<ReviewTestContext["run"]>[0];
    // All tests use the same commits.
    const run = (of: Omit<Run, "project">) =>
      context.run({ project, ...of, more: { rerun: true, ...of.more } });
    const approved = async (of: Omit<Run, "project">) => {
      const runId = await run(of);
      await context.ask("runs.approve", { runId });
      return runId;
    };
    /** Approves these looks on a branch from a commit on. */
    const look = (commit: string, looks: Run["looks"], branch = "main") =>
      approved({ looks, scm: { sha: sha(commit), branch } });
    const pull = (looks: Run["looks"], scm: Run["scm"], more: Run["more"] = {}, as = person("ada")) =>
      run({ pr: 7, looks, scm: { sha: sha("9"), ...scm }, more, as });
    /** Returns each page's status and baseline reason. */
    const reasons = async (runId: string) =>
      Object.fromEntries(
        (await context.screenshots(runId)).map(page => [
          pageName(page),
          [page.status, page.baseline?.reason ?? null],
        ]),
      );
    /** Merges pull request #7 with this commit. */
    const merge = (
      { sha: commit, branch = null }: { sha: string; branch?: string | null },
      into: { branch: string; sha: string } = { branch: "main", sha: sha("e") },
    ) =>
      context.ask("runs.carryApprovals", {
        ...{ teamId: person("ada").teamId, project },
        merged: { pr: 7, sha: commit, branch, runIds: [] },
        into: { ...into, defaultBranch: "main" },
      });
    const asOf = (letter: string) => `approved on main, as of the merge base ${short(letter)}`;

    it("compares a pull request with its base branch at the merge base", async () => {
      project = "history";
      await look("a", { "/": "red" });
      await look("b", { "/": "green", "/later": "new" });
      // With the commits that the branch lacks.
      const lacking = { baseSha: sha("a"), missingShas: [sha("b"), sha("c")] };
      const behind = await pull({ "/": "red", "/later": "new" }, lacking);
      assert.deepEqual(await reasons(behind), {
        "/": ["unchanged", asOf("a")],
        "/later": [
          "unchanged",
          `latest approved on main, because it has none as of the merge base ${short("a")}`,
        ],
      });
      // With the merge base alone, which has approvals.
      assert.deepEqual(await reasons(await pull({ "/": "red" }, { baseSha: sha("a") })), {
        "/": ["unchanged", asOf("a")],
      });
      // The branch is up to date.
      const uptodate = await pull({ "/": "red" }, { baseSha: sha("c"), missingShas: [] });
      assert.deepEqual(await reasons(uptodate), { "/": ["changed", asOf("c")] });
      // The state at the merge base is unknown, or no merge base was submitted.
      const unknown = `latest approved on main${UNKNOWN}`;
      for (const baseSha of [null, sha("d")])
        assert.deepEqual(await reasons(await pull({ "/": "red" }, { baseSha })), {
          "/": ["changed", unknown],
        });
      assert.deepEqual(await reasons(await pull({ "/": "red" }, {})), { "/": ["changed", unknown] });
      // Runs without a pull request have no merge base.
      assert.deepEqual(
        await reasons(await run({ looks: { "/": "red" }, scm: { sha: sha("9"), branch: "topic" } })),
        {
          "/": ["changed", "latest approved on main"],
        },
      );
    });

    it("orders approvals without a commit by time", async () => {
      project = "unnamed";
      await approved({ looks: { "/": "red" } });
      await look("b", { "/other": "x" });
      await approved({ looks: { "/": "green" } });
      const lacking = { baseSha: sha("a"), missingShas: [sha("b")] };
      const first = await pull({ "/": "red" }, lacking);
      assert.deepEqual(await reasons(first), { "/": ["unchanged", asOf("a")] });
      const { id } = await context.ask("runs.rerun", { id: first });
      const again = await reasons(await context.completed(id));
      assert.deepEqual(again, await reasons(first), "a repetition has the same baselines");
    });

    it("reports removed pages of the merge base, but no pages that are newer", async () => {
      project = "removed";
      await look("a", { "/": "red", "/gone": "red" });
      await look("b", { "/later": "red" });
      const lacking = { baseSha: sha("a"), missingShas: [sha("b")] };
      const whole = await pull({ "/": "red" }, lacking, { partial: false });
      assert.deepEqual(await reasons(whole), {
        "/": ["unchanged", asOf("a")],
        "/gone": ["removed", asOf("a")],
      });
    });

    it("prefers an approval on the pull request itself", async () => {
      project = "own";
      await look("a", { "/": "red" });
      const lacking = { baseSha: sha("a"), missingShas: [] };
      const first = await pull({ "/": "green" }, lacking);
      await context.ask("runs.approve", { runId: first });
      assert.deepEqual(await reasons(await pull({ "/": "green" }, lacking)), {
        "/": ["unchanged", "identical screenshot approved on pull request #7"],
      });
    });

    it("compares with the target branch, or with the branch that the submission names", async () => {
      project = "bases";
      await look("a", { "/": "red", "/main": "red" });
      await look("b", { "/": "green" }, "release/2");
      const scm = { baseBranch: "release/2", baseSha: sha("b"), missingShas: [] };
      const looks = { "/": "green", "/main": "red" };
      assert.deepEqual(await reasons(await pull(looks, scm)), {
        "/": ["unchanged", `approved on release/2, as of the merge base ${short("b")}`],
        "/main": ["unchanged", "latest approved on main, because release/2 has none"],
      });
      // A page of the default branch only doesn't count as removed here.
      const whole = await reasons(await pull({ "/": "green" }, scm, { partial: false }));
      assert.deepEqual(Object.keys(whole), ["/"]);
      const named = await pull(looks, { baseBranch: "main" }, { baselineBranch: "release/2" });
      assert.deepEqual((await reasons(named))["/"], ["unchanged", `latest approved on release/2${UNKNOWN}`]);
      const empty = await pull({ "/": "red" }, { baseBranch: "release/3" }, { partial: false });
      assert.deepEqual(await reasons(empty), {
        "/": ["unchanged", "latest approved on main, because release/3 has none"],
        "/main": ["removed", "latest approved on main"],
      });
    });

    it("carries approvals to the target branch at the merge commit", async () => {
      project = "merged";
      await look("a", { "/": "red" });
      await approved({ pr: 7, looks: { "/": "green" }, scm: { sha: sha("1") } });
      const carry = (branch: string, commit: string) =>
        merge({ sha: sha("1") }, { branch, sha: sha(commit) });
      assert.deepEqual(await carry("main", "e"), { carried: 1 });
      assert.deepEqual(await carry("main", "e"), { carried: 0 });
      const forkedBefore = { pr: 8, baseSha: sha("a"), missingShas: [sha("e")] };
      assert.deepEqual(await reasons(await pull({ "/": "red" }, forkedBefore)), {
        "/": ["unchanged", asOf("a")],
      });
      const forkedAfter = { pr: 8, baseSha: sha("e"), missingShas: [] };
      assert.deepEqual(await reasons(await pull({ "/": "green" }, forkedAfter)), {
        "/": ["unchanged", asOf("e")],
      });
      await carry("release/2", "f");
      assert.deepEqual(await reasons(await pull({ "/": "green" }, { pr: 9, baseBranch: "release/2" })), {
        "/": ["unchanged", `latest approved on release/2${UNKNOWN}`],
      });
    });

    it("carries approvals on the pull request's branch that apply to the merged commit", async () => {
      project = "merged branch";
      await look("a", { "/": "red", "/own": "one", "/back": "first" });
      await look("1", { "/": "blue", "/own": "two", "/back": "second" }, "topic");
      await look("2", { "/": "green", "/own": "two", "/back": "first" }, "topic");
      const carry = (commit: string, branch = "topic") => merge({ branch, sha: sha(commit) });
      assert.deepEqual(await carry("3"), { carried: 0 }, "of another commit of that branch");
      assert.deepEqual(await carry("2", "other"), { carried: 0 });
      assert.deepEqual([await carry("2"), await carry("2")], [{ carried: 2 }, { carried: 0 }]);
      const why = "latest approved on main";
      const now = await run({
        looks: { "/": "green", "/own": "two", "/back": "first" },
        scm: { sha: sha("e"), branch: "main" },
      });
      assert.deepEqual(await reasons(now), {
        "/": ["unchanged", why],
        "/own": ["unchanged", why],
        "/back": ["unchanged", why],
      });
      // The branch continues and is merged again. Earlier carried approvals don't override later ones.
      await look("4", { "/": "blue", "/own": "three", "/back": "first" });
      await look("5", { "/": "green", "/own": "four", "/back": "first" }, "topic");
      assert.deepEqual([await carry("5"), await carry("5")], [{ carried: 1 }, { carried: 0 }]);
      const later = await run({
        looks: { "/": "blue", "/own": "four", "/back": "first" },
        scm: { sha: sha("6"), branch: "main" },
      });
      assert.deepEqual(Object.values(await reasons(later)), [
        ["unchanged", why],
        ["unchanged", why],
        ["unchanged", why],
      ]);
    });

    if (database.name === "PostgreSQL") {
      it("carries no approval that is undone at the same time", async () => {
        project = "merged late";
        await look("a", { "/": "red" });
        const runId = await approved({ pr: 7, looks: { "/": "green" }, scm: { sha: sha("1") } });
        const hold = await TableHold.ofInserts(made.env.DATABASE_URL ?? "", "runs.baseline");
        const carried = merge({ sha: sha("1") });
        await hold.caught();
        let isDismissed = false;
        const dismissed = context.ask("runs.dismiss", { runId, reason: "too early", own: true }).then(() => {
          isDismissed = true;
        });
        await until(async () => isDismissed || (await hold.keepsWaiting()));
        await hold.release();
        await Promise.all([carried, dismissed]);
        const now = await run({ looks: { "/": "green" }, scm: { sha: sha("e"), branch: "main" } });
        assert.deepEqual(await reasons(now), { "/": ["changed", "latest approved on main"] });
      });
    }

    it("carries the latest approval of a pull request and its branch", async () => {
      project = "merged both";
      await look("a", { "/": "red" });
      await approved({ pr: 7, looks: { "/": "green" }, scm: { sha: sha("1") } });
      await look("2", { "/": "blue" }, "topic");
      await merge({ branch: "topic", sha: sha("2") });
      const now = await run({ looks: { "/": "blue" }, scm: { sha: sha("e"), branch: "main" } });
      assert.deepEqual(await reasons(now), { "/": ["unchanged", "latest approved on main"] });
    });

    describe("of a page that looks different in the merged commit", () => {
      const at = (commit: string, looks: Run["looks"]) => ({ pr: 7, looks, scm: { sha: sha(commit) } });
      const mainNow = async (looks: Run["looks"], more: Run["more"] = {}) =>
        reasons(await run({ looks, scm: { sha: sha("f"), branch: "main" }, more }));
      const why = "latest approved on main";

      it("carries no approval that a later push took back", async () => {
        project = "merged revert";
        await look("a", { "/": "red", "/own": "one", "/other": "x" });
        await approved(at("1", { "/": "green", "/own": "two", "/other": "y" }));
        await run(at("2", { "/": "red", "/own": "three" }));
        assert.deepEqual(await merge({ sha: sha("2").toUpperCase() }), { carried: 1 });
        assert.deepEqual(await mainNow({ "/": "red", "/own": "one", "/other": "y" }), {
          "/": ["unchanged", why],
          "/own": ["unchanged", why],
          // No run of the merged commit has this page.
          "/other": ["unchanged", why],
        });
      });

      it("carries the approval that the latest run of that commit shows, not the last one", async () => {
        project = "merged return";
        await look("a", { "/": "red", "/failed": "one" });
        await approved(at("1", { "/": "green", "/failed": "two" }));
        await approved(at("2", { "/": "blue" }));
        await run(at("3", { "/": "blue" }));
        await run(at("3", { "/": "green", "/failed": null }));
        await run(at("4", { "/": "blue" }));
        assert.deepEqual(await merge({ sha: sha("3") }), { carried: 2 });
        assert.deepEqual(await mainNow({ "/": "green", "/failed": "two" }), {
          "/": ["unchanged", why],
          "/failed": ["unchanged", why],
        });
      });

      it("carries no removal of a page that is back", async () => {
        project = "merged restoration";
        await look("a", { "/": "red", "/gone": "one", "/back": "one" });
        const whole = { partial: false };
        await approved({ ...at("1", { "/": "red" }), more: whole });
        await run({ ...at("2", { "/": "red", "/back": "one" }), more: whole });
        assert.deepEqual(await merge({ sha: sha("2") }), { carried: 1 });
        assert.deepEqual(await mainNow({ "/": "red" }, whole), {
          "/": ["unchanged", why],
          "/back": ["removed", why],
        });
      });
    });

    describe("of a page in states and environments", () => {
      const ALL = ["/", "/ › open", "/ (dark)", "/ › open (dark)"];
      const more = { routes: ["/"], options: OPEN_AND_DARK };
      const onMain = (commit: string, looks: Run["looks"]) =>
        approved({ looks, scm: { sha: sha(commit), branch: "main" }, more });
      const idOf = async (runId: string, name: string) =>
        (await context.screenshots(runId)).find(page => pageName(page) === name)?.id ?? "";
      const approve = async (runId: string, name: string) =>
        context.ask("runs.approve", { runId, screenshots: [await idOf(runId, name)] });
      const carry = (head: { branch?: string; sha: string } = { sha: sha("1") }) => merge(head);
      const mainNow = async (looks: Run["looks"], also: Run["more"] = {}) =>
        reasons(await run({ looks, scm: { sha: sha("f"), branch: "main" }, more: { ...more, ...also } }));
      /** Returns the same for all pages, except for these. */
      const expect = (others: unknown, own: Record<string, unknown> = {}) => ({
        ...Object.fromEntries(ALL.map(name => [name, others])),
        ...own,
      });

      it("carries an approval to the approved one alone, even if all have the same pixels", async () => {
        project = "merged environment";
        await onMain("a", { "/": "red" });
        const onPull = { looks: { "/": "green" }, scm: { sha: sha("1") }, pr: 7, more };
        const runId = await run(onPull);
        await approve(runId, "/ › open (dark)");
        await context.ask("runs.reject", {
          ...{ runId, reason: "not here" },
          screenshots: [await idOf(runId, "/ (dark)")],
        });
        const unknown = ["changed", `latest approved on main${UNKNOWN}`];
        const samePixels = ["unchanged", "identical screenshot approved on pull request #7"];
        assert.deepEqual(
          await reasons(await run(onPull)),
          expect(unknown, { "/ › open (dark)": samePixels }),
        );
        assert.deepEqual([await carry(), await carry()], [{ carried: 1 }, { carried: 0 }]);
        const why = "latest approved on main";
        assert.deepEqual(
          await mainNow({ "/": "green" }),
          expect(["changed", why], { "/ › open (dark)": ["unchanged", why] }),
        );
      });

      it("carries an approval on the branch if the merged commit shows this one like it", async () => {
        project = "merged state";
        await onMain("a", { "/": "red" });
        const onTopic = (commit: string) => ({ sha: sha(commit), branch: "topic" });
        await approved({ looks: { "/": "green" }, scm: onTopic("1"), more });
        await run({ looks: { "/": "blue", "/ › open": "green" }, scm: onTopic("2"), more });
        assert.deepEqual(await carry({ branch: "topic", sha: sha("2") }), { carried: 1 });
        const why = "latest approved on main";
        assert.deepEqual(
          await mainNow({ "/": "green" }),
          expect(["changed", why], { "/ › open": ["unchanged", why] }),
        );
      });

      it("carries the removal of one, and keeps the others", async () => {
        project = "merged removal";
        await onMain("a", { "/": "red" });
        const light = { options: { ...OPEN_AND_DARK, environments: {} }, partial: false };
        const without = { looks: { "/": "red" }, pr: 7, scm: { sha: sha("1") }, more: { ...more, ...light } };
        const runId = await run(without);
        await approve(runId, "/ (dark)");
        assert.deepEqual(await carry(), { carried: 1 });
        const why = "latest approved on main";
        assert.deepEqual(await mainNow({ "/": "red" }, light), {
          ...{ "/": ["unchanged", why], "/ › open": ["unchanged", why] },
          "/ › open (dark)": ["removed", why],
        });
        assert.deepEqual(
          await mainNow({ "/": "red" }),
          expect(["unchanged", why], { "/ (dark)": ["new", null] }),
        );
      });

      it("has no baseline of another one, at the merge base or later", async () => {
        project = "no other";
        await look("a", { "/": "red" });
        const none = ["new", null];
        const known = await pull({ "/": "red" }, { baseSha: sha("a"), missingShas: [] }, more);
        assert.deepEqual(await reasons(known), expect(none, { "/": ["unchanged", asOf("a")] }));
        const later = await pull({ "/": "red" }, {}, more);
        const why = `latest approved on main${UNKNOWN}`;
        assert.deepEqual(await reasons(later), expect(none, { "/": ["unchanged", why] }));
        await approve(later, "/ (dark)");
        assert.deepEqual(await carry(), { carried: 1 });
        const [latest, dark] = [await mainNow({ "/": "red" }), ["unchanged", "latest approved on main"]];
        assert.deepEqual(latest, expect(none, { "/": dark, "/ (dark)": dark }));
      });
    });

    it("follows the repository's default branch, with the baselines of the previous one", async () => {
      project = "renamed";
      await look("a", { "/": "red", "/own": "red" }, "main");
      await look("b", { "/own": "green" }, "production");
      const scm = { defaultBranch: "production" };
      const why = "latest approved on production";
      // Reviewers can't change the default branch, because it affects all runs.
      const before = await pull({ "/": "red", "/own": "green" }, scm);
      assert.deepEqual(await reasons(before), {
        "/": ["unchanged", `latest approved on main${UNKNOWN}`],
        "/own": ["changed", `latest approved on main${UNKNOWN}`],
      });
      const after = await pull({ "/": "red", "/own": "green" }, scm, {}, person("dora", "admin"));
      assert.deepEqual(await reasons(after), {
        "/": ["unchanged", `${why}${UNKNOWN}`],
        "/own": ["unchanged", `${why}${UNKNOWN}`],
      });
      const changes = async () =>
        (await context.ask("teams.activity", { limit: 5, type: "project.changed" })).data.map(
          ({ target, details }) => ({ target, ...details }),
        );
      await until(async () => (await changes()).length > 0);
      assert.deepEqual(await changes(), [{ target: "renamed", defaultBranch: "production", was: "main" }]);
      // Submissions without a default branch don't change it.
      assert.deepEqual(await reasons(await run({ looks: { "/own": "green" } })), {
        "/own": ["unchanged", why],
      });
    });

    it("recognizes a repeated submission after its base has moved on", async () => {
      project = "again";
      const body = (more: object) => ({
        ...{
          url: "https://example.com",
          routes: ["/"],
          viewports: [1280],
          threshold: 0,
          partial: false,
          project,
        },
        scm: { owner: "acme", repo: "shop", sha: sha("9"), pr: 7, ...more },
      });
      const submit = (more: object) =>
        context.ask("runs.submit", { id: newId("run"), body: body(more), idempotencyKey: "key-1" });
      const first = await submit({ baseSha: sha("a"), missingShas: [sha("b")] });
      assert.equal((await submit({ baseSha: sha("a"), missingShas: [sha("b"), sha("c")] })).id, first.id);
      // The code host did not respond in time at the first attempt.
      const compared = { baseSha: sha("a"), missingShas: [], changedFiles: ["a.css"], message: "Work" };
      assert.equal((await submit(compared)).id, first.id);
      const { scm } = await context.ask("runs.get", { id: first.id });
      const known = { owner: "acme", repo: "shop", sha: sha("9"), pr: 7, baseSha: sha("a") };
      assert.deepEqual(scm, known);
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Baselines at the merge base on ${database.name}`, mergeBaseOn(database));
