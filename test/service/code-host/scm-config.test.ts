import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { configurationAt, isFromFork } from "../../../services/scm/checks/configuration-at.ts";
import { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";

const PREVIEW = "https://site-abc.previews.example";
const YAML = ".github/service.yml";
const SCRIPT = "service.config.ts";

const configOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    database.needed();
    let context: ScmTestContext;
    let repository: HostedRepository;

    before(async () => {
      context = await ScmTestContext.start(database);
    });
    beforeEach(async () => {
      await context.reset();
    });
    afterEach(() => assert.deepEqual(context.host.complaints, []));
    after(() => context?.stop());

    /** Opens a pull request with these files and reports its preview. */
    const check = async (
      files: Record<string, string>,
      { onMain = {}, fork = false, name = "site" } = {},
    ) => {
      repository = new HostedRepository("octo", name, { "README.md": "# Hello", ...onMain });
      context.host.install(repository);
      const pull = repository.open("feature", { files, fork });
      await context.send("pull_request", context.pullEvent(repository, pull));
      const { body } = await context.send("status", context.statusEvent(repository, pull.head.sha, PREVIEW));
      const [made] = repository.checks;
      assert.ok(made);
      return { made, body: Object(body), pull };
    };
    const submitted = () => {
      assert.equal(context.cloud.submitted.length, 1);
      const { url, scm: _scm, ...run } = Object(context.cloud.submitted[0]?.run);
      assert.equal(url, PREVIEW);
      return run;
    };

    it("uses the configuration at the head of the pull request", async () => {
      const script = (routes: string) =>
        `const routes = ${routes};\nexport default { routes, viewports: [375, 1440], threshold: 0.02,
          project: "octo/other", masks: [".clock"], perRoute: { "/a": { threshold: 0 } } };\n`;
      await check({ [SCRIPT]: script("['/a', '/b']") }, { onMain: { [SCRIPT]: script("['/main']") } });
      assert.deepEqual(submitted(), {
        routes: ["/a", "/b"],
        viewports: [375, 1440],
        threshold: 0.02,
        options: { masks: [".clock"], perRoute: { "/a": { threshold: 0 } } },
      });
    });

    it("prefers the file for pull requests", async () => {
      await check({
        [YAML]: "routes: [/yaml]\n",
        [SCRIPT]: "export default { routes: [process.env.ROUTE] }",
      });
      assert.deepEqual(submitted().routes, ["/yaml"]);
    });

    it("uses the base's configuration for a pull request from a fork", async () => {
      const onMain = { [YAML]: "routes: [/base]\n" };
      await check({ [YAML]: "routes: [/fork]\nheaders: { X-Mine: a }\n" }, { onMain, fork: true });
      assert.deepEqual(submitted(), { routes: ["/base"], viewports: [1280], threshold: 0.01 });
      await context.reset();
      await check({ [YAML]: "routes: [/fork]\n" }, { fork: true });
      assert.deepEqual(submitted(), {});
    });

    it("is read for an external run, but not at a fork's commits", async () => {
      const routesAt = async (sha: string, repo = "site") => {
        const found = await configurationAt(context.node, { owner: "octo", repo, sha });
        return found && "run" in found ? (found.run.routes ?? null) : found;
      };
      const onMain = { [YAML]: "routes: [/base]\n" };
      const { pull } = await check({ [YAML]: "routes: [/own]\n" }, { onMain });
      assert.deepEqual(await routesAt(pull.head.sha), ["/own"]);
      assert.equal(await routesAt(pull.head.sha.slice(0, 12)), null);
      assert.equal(await routesAt(pull.head.sha, "another"), null);
      const fork = repository.open("theirs", { files: { [YAML]: "routes: [/fork]\n" }, fork: true });
      const before = fork.head.sha;
      fork.head.sha = repository.push("theirs", { a: "b" });
      for (const sha of [before, fork.head.sha]) assert.deepEqual(await routesAt(sha), ["/base"]);
      const isForkAt = (sha: string) => isFromFork(context.node, { owner: "octo", repo: "site", sha });
      assert.deepEqual([await isForkAt(pull.head.sha), await isForkAt(fork.head.sha)], [false, true]);
      assert.equal(await isForkAt(fork.head.sha.slice(0, 12)), null);
      context.host.requests.length = 0;
      const older = pull.head.sha;
      pull.head.sha = repository.push("feature", { a: "b" });
      const onMainBefore = repository.branches.get("main") ?? "";
      repository.push("main", { c: "d" });
      assert.deepEqual([await isForkAt(older), await isForkAt(onMainBefore)], [false, false]);
      const ofForks = context.host.requests.filter(name => /pulls\/\d+\/commits/.test(name));
      assert.deepEqual(ofForks, [], "the repository's own commits are no fork's");
      context.host.failures.push({
        match: /contents/,
        times: 1,
        status: 403,
        message: "Resource not accessible",
      });
      assert.equal(await routesAt(pull.head.sha), null);
      context.host.slow.push({ match: /contents/, ms: 6_000 });
      await assert.rejects(routesAt(pull.head.sha), { type: "unavailable" });
      context.host.slow.length = 0;
    });

    it("is read for a commit at the head of an own branch, however many forks have pull requests", async () => {
      const { pull } = await check({}, { name: "busy" });
      Object.assign(pull, { state: "closed" });
      for (let fork = 0; fork < 41; fork++) repository.open(`fork-${fork}`, { fork: true });
      repository.branches.set("release", repository.branches.get("main") ?? "");
      const sha = repository.push("release", { [YAML]: "routes: [/release]\n" });
      context.host.requests.length = 0;
      const found = await configurationAt(context.node, { owner: "octo", repo: "busy", sha });
      assert.deepEqual(found && "run" in found && found.run.routes, ["/release"]);
      const searches = context.host.requests.filter(name => /\/(commits|pulls|compare)\b/.test(name));
      assert.equal(searches.length, 2, String(searches));
    });

    it("never runs a configuration, and annotates each failure at its position", async () => {
      const source = `import process from "node:process";
process.exit(7);
export default {
  routes: [process.env.ROUTE],
  viewport: [375],
};
`;
      const { made, body } = await check({ [SCRIPT]: source });
      assert.deepEqual(body, { triggered: false, reason: "The run could not be started" });
      assert.deepEqual(context.cloud.submitted, []);
      assert.deepEqual(
        [made.status, made.conclusion, made.output.title],
        ["completed", "failure", "service.config.ts has errors"],
      );
      const places = (made.output.annotations ?? []).map(each => {
        const { path, start_line, start_column, annotation_level, message } = Object(each);
        return [`${path}:${start_line}:${start_column}`, annotation_level, message.length > 20];
      });
      assert.deepEqual(
        places.slice(-2),
        ["service.config.ts:4:12", "service.config.ts:5:3"].map(place => [place, "failure", true]),
      );
      const shown = made.output.summary.replaceAll(/&#(\d+);/g, (_, code) =>
        String.fromCodePoint(Number(code)),
      );
      assert.match(shown, /service\.config\.ts:4:12: .*environment/);
      assert.match(shown, /service\.config\.ts:5:3: .*Did you mean "viewports"\?/);
    });

    it("reports a file that is too large, and one that the app may not read", async () => {
      const { made } = await check({ [SCRIPT]: `export default {};\n//${"x".repeat(1_100_000)}` });
      assert.match(made.output.summary, /larger than 256 KiB/);
      await context.reset();
      const message = "Resource not accessible by integration";
      // Its own repository, because a read that timed out in an earlier test may still be in progress in the other one.
      context.host.failures.push({ match: /octo\/closed\/contents/, times: 1, status: 403, message });
      const { made: refused } = await check({}, { name: "closed" });
      assert.equal(refused.conclusion, "failure");
      assert.match(refused.output.summary, /can&#39;t read the repository.*Resource not accessible/);
      assert.deepEqual(context.cloud.submitted, []);
    });

    it("reads the configuration again when the check is rerun", async () => {
      const onMain = { [YAML]: "routs: [/]\n" };
      const { made, pull } = await check({}, { onMain, fork: true });
      const again = () =>
        context.send("check_run", {
          action: "rerequested",
          check_run: { id: made.id },
          sender: { id: 1, login: "octocat" },
          ...context.host.event(repository),
        });
      assert.equal(made.conclusion, "failure");
      // The code host reopens a check run when it is rerun.
      Object.assign(made, { status: "queued", conclusion: null });
      await again();
      assert.equal(made.conclusion, "failure");
      const fixed = repository.addTree({ [YAML]: "routes: [/fixed]\n" });
      repository.branches.set("main", repository.addCommit(fixed, [], "Fix"));
      await again();
      assert.deepEqual([made.status, submitted().routes], ["in_progress", ["/fixed"]]);
      assert.equal(made.head_sha, pull.head.sha);
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Configurations of pull requests on ${database.name}`, configOn(database));
