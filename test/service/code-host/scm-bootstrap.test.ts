import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { parse } from "yaml";
import { leaseDueBootstraps } from "../../../services/scm/bootstrap/bootstrap.store.ts";
import { bootstrapDueRepositories } from "../../../services/scm/bootstrap/bootstrap-repositories.ts";
import { NO_FULL_LANES, WORK_TIMEOUT_MS } from "../../../services/scm/lanes/lanes.ts";
import {
  DEFAULT_STARTER,
  STARTER_CONFIG,
  starterConfig,
} from "../../../shared/project-config/starter/starter-config.ts";
import { starterWorkflow } from "../../../shared/project-config/starter/starter-workflow.ts";
import { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { importWorkflowParser } from "../../support/formats/workflow-parser.ts";
import { makeBootstrapsDue, readBootstraps } from "../../support/rows/scm-rows.ts";

const BRANCH = "service/bootstrap-config";
const WORKFLOW = ".github/workflows/service.yml";
const ACTION = { SERVICE_ACTION: "acme/vrs" };
const USUAL = { runner: { action: "acme/vrs" }, install: "npm install", starting: null };
/** Returns a repository whose application a workflow can start. */
const STARTABLE = {
  "README.md": "# Hello",
  "package.json": JSON.stringify({ scripts: { dev: "vite" }, devDependencies: { vite: "8.0.0" } }),
  "package-lock.json": "{}",
};

const bootstrapOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    database.needed();
    let testContext: ScmTestContext;
    let repository: HostedRepository;
    let installation: number;

    before(async () => {
      testContext = await ScmTestContext.start(database);
    });
    beforeEach(async () => {
      await testContext.reset(ACTION);
      repository = new HostedRepository("octo", "site", STARTABLE);
      installation = testContext.host.install(repository);
    });
    afterEach(() => assert.deepEqual(testContext.host.complaints, []));
    after(() => testContext?.stop());

    const seen = (of: HostedRepository[]) =>
      of.map(({ id, owner, name }) => ({ id, name, full_name: `${owner}/${name}`, private: true }));
    const all = () => testContext.host.installations.get(installation) ?? [];
    const install = async (id = installation) => {
      const event = { action: "created", installation: { id }, repositories: seen(all()) };
      const { status, body } = await testContext.send("installation", event);
      assert.equal(status, 200, JSON.stringify(body));
      return Object(body);
    };
    const add = async (of = [repository], node = testContext.node) => {
      const event = {
        action: "added",
        installation: { id: installation },
        repositories_added: seen(of),
        repositories_removed: [],
      };
      return Object((await testContext.send("installation_repositories", event, { node })).body);
    };
    const bootstrapAllDue = () => bootstrapDueRepositories(testContext.node);
    const makeAllDue = () => makeBootstrapsDue(testContext.em());

    it("opens one pull request with both files on one branch", async () => {
      const { reasons, ...body } = await install();
      assert.deepEqual(body, { bootstrapped: true, opened: ["octo/site"], skipped: [] });
      assert.deepEqual(reasons, {});
      const [pull] = repository.pulls;
      assert.deepEqual([pull?.head.ref, pull?.base.ref, repository.pulls.length], [BRANCH, "main", 1]);
      const files = repository.filesAt(BRANCH);
      const added = Object.keys(files).filter(path => !(path in STARTABLE));
      assert.deepEqual(added.sort(), [WORKFLOW, "service.config.ts"]);
      assert.equal(repository.filesAt("main")["service.config.ts"], undefined);
    });

    it("never opens a second pull request for the same repository and installation", async () => {
      await install();
      const skipped = async (body: Promise<{ opened: string[]; skipped: string[] }>) => {
        const { opened, skipped } = await body;
        assert.deepEqual([opened, skipped, repository.pulls.length], [[], ["octo/site"], 1]);
      };
      await skipped(install());
      await skipped(add());
      const [pull] = repository.pulls;
      assert.ok(pull);
      pull.state = "closed";
      await skipped(install());
      await skipped(add());
      // Merged, with its branch deleted.
      pull.merged = true;
      repository.branches.set("main", pull.head.sha);
      repository.branches.set("main", repository.branches.get(BRANCH) ?? "");
      repository.branches.delete(BRANCH);
      await skipped(add());
      await skipped(install());
    });

    it("opens another pull request only after the branch was deleted and access was granted again", async () => {
      await install();
      const [pull] = repository.pulls;
      assert.ok(pull);
      pull.state = "closed";
      repository.branches.delete(BRANCH);
      await install();
      assert.equal(repository.pulls.length, 1);
      assert.deepEqual((await add()).opened, ["octo/site"]);
      assert.equal(repository.pulls.length, 2);
    });

    it("keeps the proposal of another installation", async () => {
      await install();
      const second = testContext.host.install(repository);
      const { opened, reasons } = await install(second);
      assert.deepEqual(
        [opened, reasons, repository.pulls.length],
        [[], { "octo/site": "Pull request #1 already proposed the configuration" }, 1],
      );
    });

    it("starts the application in the workflow by its package.json, on its port", async () => {
      await install();
      const files = repository.filesAt(BRANCH);
      assert.equal(
        files["service.config.ts"],
        starterConfig({ ...DEFAULT_STARTER, baseUrl: "http://localhost:5173" }),
      );
      const { jobs } = parse(files[WORKFLOW] ?? "");
      const hasBaselines = "hashFiles('.service/baselines/**') != ''";
      const [, notice, ...steps] = jobs.service.steps;
      assert.match(notice.if, /== ''$/);
      assert.deepEqual(steps, [
        { if: hasBaselines, run: "npm ci" },
        {
          if: hasBaselines,
          uses: "acme/vrs@v0",
          with: { config: "./service.config.ts", start: "npm run dev" },
        },
      ]);
    });

    it("omits the workflow and gives the reason if it knows no way to start the application", async () => {
      const plain = new HostedRepository("octo", "plain");
      const broken = new HostedRepository("octo", "broken", { "package.json": "{" });
      testContext.host.installations.set(installation, [plain, broken]);
      assert.deepEqual((await install()).opened, ["octo/broken", "octo/plain"]);
      for (const each of [plain, broken]) {
        const files = each.filesAt(BRANCH);
        assert.deepEqual([files["service.config.ts"], files[WORKFLOW]], [STARTER_CONFIG, undefined]);
        assert.match(each.pulls[0]?.body ?? "", /is not included\. .*start the application/);
      }
    });

    it("uses the owner's own action only if it has the tag, and otherwise omits the workflow", async () => {
      await testContext.reset();
      await install();
      assert.equal(repository.filesAt(BRANCH)[WORKFLOW], undefined);
      assert.match(
        repository.pulls[0]?.body ?? "",
        /`SERVICE_ACTION` is not set and `octo\/vrs@v0` was not found/,
      );
      const [action, other] = [
        new HostedRepository("octo", "vrs", { "service.config.ts": "" }),
        new HostedRepository("octo", "other", STARTABLE),
      ];
      action.tags.set("v0", action.branches.get("main") ?? "");
      testContext.host.installations.set(installation, [action, other]);
      assert.deepEqual((await install()).opened, ["octo/other"]);
      assert.match(other.filesAt(BRANCH)[WORKFLOW] ?? "", /uses: octo\/vrs@v0/);
    });

    it("omits the workflow if the app may not read the owner's repository of the action", async () => {
      await testContext.reset();
      const message = "Resource not accessible by integration";
      testContext.host.failures.push({ match: /octo\/vrs\//, times: 100, status: 403, message });
      assert.deepEqual((await install()).opened, ["octo/site"]);
      assert.equal(repository.filesAt(BRANCH)[WORKFLOW], undefined);
      assert.match(repository.pulls[0]?.body ?? "", /`octo\/vrs@v0` was not found/);
    });

    it("runs the project's own vrs in the workflow if no action is known", async () => {
      await testContext.reset();
      const manifest = { scripts: { dev: "vite" }, devDependencies: { vrs: "1" } };
      const own = new HostedRepository("octo", "own", { "package.json": JSON.stringify(manifest) });
      testContext.host.installations.set(installation, [own]);
      await install();
      const { jobs } = parse(own.filesAt(BRANCH)[WORKFLOW] ?? "");
      const runs = jobs.service.steps.map(({ run }: { run?: string }) => run);
      assert.ok(
        runs.some((run?: string) => run?.startsWith("npx --no-install vrs check")),
        String(runs),
      );
    });

    it("reports bootstrapped only for an opened pull request, a proposal, or a configuration", async () => {
      const archived = Object.assign(new HostedRepository("octo", "archived"), { archived: true });
      const configured = new HostedRepository("octo", "configured", { "service.config.ts": "" });
      const bootstrapped = async (of: HostedRepository[]) => (await add(of)).bootstrapped;
      testContext.host.installations.set(installation, [archived, configured, repository]);
      assert.equal(await bootstrapped([]), false);
      assert.equal(await bootstrapped([archived]), false);
      assert.equal(await bootstrapped([configured]), true);
      testContext.host.failures.push({ match: /refs$/, times: 1, status: 502 });
      assert.equal(await bootstrapped([repository]), false);
      await makeAllDue();
      await bootstrapAllDue();
      assert.equal(await bootstrapped([archived, repository]), true);
    });

    it("treats forks like other repositories, unless they are excluded", async () => {
      const fork = Object.assign(new HostedRepository("octo", "fork"), { fork: true });
      testContext.host.installations.set(installation, [fork]);
      const without = testContext.makeNode({ ...ACTION, SERVICE_BOOTSTRAP_FORKS: "0" });
      const { bootstrapped, reasons } = await add([fork], without);
      assert.deepEqual(
        [bootstrapped, reasons, fork.pulls.length],
        [false, { "octo/fork": "The repository is a fork" }, 0],
      );
      assert.deepEqual((await add([fork])).opened, ["octo/fork"]);
    });

    for (const path of ["service.config.ts", ".github/service.yml"])
      it(`skips a repository with ${path} on its default branch`, async () => {
        const configured = new HostedRepository("octo", "configured", { [path]: "" });
        configured.defaultBranch = "trunk";
        configured.branches.set("trunk", configured.branches.get("main") ?? "");
        configured.branches.set("main", configured.addCommit(configured.addTree({}), [], "Empty"));
        testContext.host.installations.set(installation, [configured]);
        const { opened, skipped } = await install();
        assert.deepEqual([opened, skipped, configured.pulls.length], [[], ["octo/configured"], 0]);
      });

    it("reports repositories that it skips, and bootstraps the others", async () => {
      const odd = (name: string, more: Partial<HostedRepository>, files?: null) =>
        Object.assign(new HostedRepository("octo", name, files), more);
      const others = [
        odd("archived", { archived: true }),
        odd("empty", {}, null),
        odd("hidden", { hidden: true }),
      ];
      testContext.host.installations.set(installation, [...others, repository]);
      const { opened, skipped, reasons } = await install();
      assert.deepEqual(opened, ["octo/site"]);
      assert.deepEqual(
        skipped,
        others.map(({ name }) => `octo/${name}`),
      );
      assert.deepEqual(Object.values(reasons), [
        "The repository is archived",
        "The repository is empty",
        "The app has no access to the repository",
      ]);
      for (const { pulls } of others) assert.equal(pulls.length, 0);
    });

    it("omits the workflow without the permission to write it, and describes how to add it", async () => {
      testContext.host.mayWriteWorkflows = false;
      await install();
      assert.equal(repository.filesAt(BRANCH)[WORKFLOW], undefined);
      const starting = { install: "npm ci", start: "npm run dev" };
      const workflow = starterWorkflow({ ...USUAL, starting, waitsForBaselines: true });
      assert.ok(repository.pulls[0]?.body.includes(workflow));
    });

    it("continues after a rate limit or an error, and creates nothing twice after a lost response", async () => {
      const steps = [/^POST .*trees$/, /^POST .*commits$/, /^POST .*refs$/, /^POST .*pulls$/];
      for (const [index, match] of steps.entries()) {
        const other = new HostedRepository("octo", `lost-${index}`, STARTABLE);
        testContext.host.installations.set(installation, [other]);
        testContext.host.failures.push({ match, times: 1, status: 502, afterwards: index % 2 === 1 });
        const { waiting } = await add([other]);
        assert.deepEqual(waiting, [`octo/lost-${index}`], String(match));
        await makeAllDue();
        await bootstrapAllDue();
        assert.deepEqual(
          [other.pulls.length, Object.keys(other.filesAt(BRANCH)).length],
          [1, 5],
          String(match),
        );
      }
      const limited = new HostedRepository("octo", "limited");
      testContext.host.installations.set(installation, [limited]);
      const headers = { "retry-after": "120" };
      testContext.host.failures.push({
        match: /refs$/,
        times: 1,
        status: 403,
        headers,
        message: "You have exceeded a secondary rate limit",
      });
      assert.deepEqual((await add([limited])).waiting, ["octo/limited"]);
      const [row] = await readBootstraps(testContext.em());
      const seconds = row?.secondsUntilDue ?? 0;
      assert.ok(seconds > 100 && seconds <= 120, String(seconds));
    });

    it("opens one pull request when many nodes try at once", async () => {
      const answers = await Promise.all(
        [testContext.node, testContext.makeNode(), testContext.makeNode()].map(node =>
          add([repository], node),
        ),
      );
      await bootstrapAllDue();
      assert.equal(repository.pulls.length, 1, JSON.stringify(answers));
    });

    // Only on one database, because this tests the time.
    if (database === MAIN_DATABASES[0])
      it("responds in time for 300 repositories of a slow host, and does the rest later", async () => {
        const many = Array.from({ length: 300 }, (_, index) =>
          Object.assign(new HostedRepository("octo", `site-${index}`), { archived: index % 50 !== 0 }),
        );
        testContext.host.installations.set(installation, many);
        testContext.host.mostAtOnce = 0;
        testContext.host.answersAfterMs = 200;
        const { opened, skipped, waiting } = await install();
        assert.ok(waiting.length > 0, "answered before it had seen them all");
        assert.equal(opened.length + skipped.length + waiting.length, 300);
        testContext.host.answersAfterMs = 0;
        await bootstrapAllDue();
        // Those that had begun before the response may still be in progress.
        await until(() => many.every(({ pulls, archived }) => archived || pulls.length === 1));
        for (const { name, pulls, archived } of many) assert.equal(pulls.length, archived ? 0 : 1, name);
        assert.ok(testContext.host.mostAtOnce <= 8, String(testContext.host.mostAtOnce));
      });

    it("keeps the lease of a slow bootstrap until after its timeout", async () => {
      testContext.host.failures.push({ match: /refs$/, times: 1, status: 502 });
      await add();
      await makeAllDue();
      const [leased] = await leaseDueBootstraps(testContext.em(), NO_FULL_LANES);
      assert.equal(leased?.repo, "site");
      const [{ secondsUntilDue } = { secondsUntilDue: null }] = await readBootstraps(testContext.em());
      assert.ok((secondsUntilDue ?? 0) > (1.5 * WORK_TIMEOUT_MS) / 1_000, String(secondsUntilDue));
    });

    it("cancels the bootstraps of removed repositories", async () => {
      testContext.host.failures.push({ match: /refs$/, times: 1, status: 502 });
      assert.deepEqual((await add()).waiting, ["octo/site"]);
      const event = {
        action: "removed",
        installation: { id: installation },
        repositories_removed: seen([repository]),
      };
      await testContext.send("installation_repositories", event);
      await makeAllDue();
      await bootstrapAllDue();
      assert.equal(repository.pulls.length, 0);
      await add();
      testContext.host.failures.push({ match: /refs$/, times: 1, status: 502 });
      await testContext.send("installation", { action: "deleted", installation: { id: installation } });
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Bootstrap pull requests on ${database.name}`, bootstrapOn(database));

describe("The files of a bootstrap pull request", () => {
  it("have the starter settings in TypeScript that type-checks", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vrs-starter-"));
    try {
      const file = join(folder, "service.config.ts");
      writeFileSync(file, STARTER_CONFIG);
      const tsc = join(import.meta.dirname, "../../../node_modules/.bin/tsc");
      const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--types", "", file];
      await promisify(execFile)(tsc, options).catch(error => assert.fail(`${error.stdout}`));
      const { default: config } = await import(file);
      assert.deepEqual(config, {
        baseUrl: "http://localhost:3000",
        routes: ["/"],
        viewports: [375, 768, 1440],
        threshold: 0.01,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("have a workflow that passes the code host's own parser", async () => {
    const bootstrap = starterWorkflow({ ...USUAL, waitsForBaselines: true });
    const own = {
      ...USUAL,
      runner: "dependency" as const,
      starting: { install: "npm ci", start: "npm start" },
    };
    const ownWorkflows = [starterWorkflow(own), starterWorkflow({ ...own, waitsForBaselines: true })];
    for (const content of [starterWorkflow(USUAL), bootstrap, ...ownWorkflows]) await checkWorkflow(content);
    const { jobs } = parse(starterWorkflow(USUAL));
    assert.deepEqual(jobs.service.steps[1], { uses: "acme/vrs@v0", with: { config: "./service.config.ts" } });
  });

  async function checkWorkflow(content: string): Promise<void> {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await importWorkflowParser();
    const { context, value } = parseWorkflow({ name: "service.yml", content }, new NoOperationTraceWriter());
    assert.deepEqual(context.errors.getErrors().map(String), []);
    assert.ok(value);
    const { errors = [], jobs } = await convertWorkflowTemplate(context, value);
    assert.deepEqual([errors, jobs.length], [[], 1]);
    const { on, jobs: all } = parse(content);
    assert.deepEqual(on, {
      pull_request: { types: ["opened", "synchronize", "reopened", "ready_for_review"] },
    });
    const [job] = Object.values<{ "runs-on": string; steps: object[] }>(all);
    assert.match(job?.["runs-on"] ?? "", /ubuntu/);
  }
});
