import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { deleteLogin, readAccess, readApiKey, readApiUrl, saveLogin } from "../../../cli/cloud/access.ts";
import { readActionsFacts, readBitbucketFacts, readGitlabFacts } from "../../../cli/cloud/ci-facts.ts";
import { readCommit, repositoryOf } from "../../../cli/cloud/commit.ts";
import { printRun } from "../../../cli/cloud/print-run.ts";
import { queuedOf } from "../../../cli/cloud/queued-pull-request.ts";
import { runBody } from "../../../cli/cloud/run-body.ts";
import { withStorybook } from "../../../cli/cloud/storybook-site.ts";
import { exitCodeOf } from "../../../cli/cloud/submit-and-wait.ts";
import { gitLine } from "../../../cli/git.ts";
import { CommandError } from "../../../cli/terminal.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { RecordingTerminal } from "../../support/drivers/cli-terminal.ts";
import { makeRun, makeScreenshot } from "../../support/fixtures/run-views.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const HEAD = "89abcdef0123456789abcdef0123456789abcdef";

describe("the commit of a run", () => {
  it("is the pushed one in the code host's CI, not the tested merge", () => {
    const env = {
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_SHA: SHA,
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_REF_NAME: "7/merge",
    };
    const event = { pull_request: { number: 7, head: { sha: HEAD, ref: "fix-header" } } };
    assert.deepEqual(readActionsFacts(env, event), {
      owner: "acme",
      repo: "shop",
      sha: HEAD,
      pr: 7,
      branch: "fix-header",
    });
    assert.deepEqual(
      readActionsFacts({ ...env, GITHUB_REF: "refs/heads/main", GITHUB_REF_NAME: "main" }, null),
      { owner: "acme", repo: "shop", sha: SHA, branch: "main" },
    );
    const queue = `gh-readonly-queue/release/2/pr-12-${HEAD}`;
    assert.deepEqual(
      readActionsFacts({ ...env, GITHUB_REF: `refs/heads/${queue}`, GITHUB_REF_NAME: queue }, null),
      { owner: "acme", repo: "shop", sha: SHA, branch: queue, pr: 12 },
    );
    assert.deepEqual(queuedOf(queue), { pr: 12, baseBranch: "release/2" });
    for (const branch of ["main", "pr-12-abc", "gh-readonly-queue/main/pr-x-abc"])
      assert.equal(queuedOf(branch), null, branch);
  });

  it("is the source branch's in a merge request's pipeline", () => {
    const env = {
      CI_PROJECT_NAMESPACE: "acme/web",
      CI_PROJECT_NAME: "shop",
      CI_COMMIT_SHA: SHA,
      CI_COMMIT_BRANCH: "main",
    };
    assert.deepEqual(readGitlabFacts(env), { owner: "acme/web", repo: "shop", sha: SHA, branch: "main" });
    const merge = {
      ...env,
      CI_MERGE_REQUEST_IID: "12",
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "fix",
    };
    assert.deepEqual(readGitlabFacts(merge), {
      owner: "acme/web",
      repo: "shop",
      sha: HEAD,
      branch: "fix",
      pr: 12,
    });
  });

  it("is the source branch's in a Bitbucket pipeline, whole where git has it", async () => {
    const env = { BITBUCKET_WORKSPACE: "acme", BITBUCKET_REPO_SLUG: "shop", BITBUCKET_BRANCH: "fix" };
    assert.deepEqual(readBitbucketFacts({ ...env, BITBUCKET_COMMIT: SHA, BITBUCKET_PR_ID: "12" }), {
      ...{ owner: "acme", repo: "shop", sha: SHA, branch: "fix", pr: 12 },
    });
    const cwd = await mkdtemp(join(tmpdir(), "vrs-git-"));
    const run = async (...args: string[]) =>
      gitLine(cwd, ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
    await run("init", "-q", "-b", "fix");
    await run("commit", "-q", "--allow-empty", "-m", "Fix");
    const whole = await run("rev-parse", "HEAD");
    await run("commit", "-q", "--allow-empty", "-m", "Merge main into fix");
    const ofPipeline = { ...env, BITBUCKET_BUILD_NUMBER: "7" };
    const shaOf = async (sha: string) =>
      (await readCommit({ cwd, env: { ...ofPipeline, BITBUCKET_COMMIT: sha } })).scm?.sha;
    assert.equal(await shaOf(whole?.slice(0, 12) ?? ""), whole);
    assert.equal(await shaOf("0123456789ab"), "0123456789ab", "git does not have it");
    await rm(cwd, { recursive: true });
  });

  it("belongs to the repository of the remote", () => {
    const remotes: [string | null, string | null][] = [
      ["git@github.com:acme/shop.git", "acme shop"],
      ["https://github.com/acme/shop", "acme shop"],
      ["https://token@gitlab.example/acme/web/shop.git/", "acme/web shop"],
      ["ssh://git@host:2222/acme/shop.git", "acme shop"],
      ["/srv/git", null],
      ["file.git", null],
      [null, null],
    ];
    for (const [remote, expected] of remotes) {
      const found = repositoryOf(remote);
      assert.equal(found && `${found.owner} ${found.repo}`, expected, String(remote));
    }
  });

  it("has the first line of its message, where git has the commit", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "vrs-git-"));
    const run = async (...args: string[]) =>
      gitLine(cwd, ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
    await run("init", "-q", "-b", "main");
    await run("remote", "add", "origin", "https://code.example/acme/shop.git");
    await run("commit", "-q", "--allow-empty", "-m", `${"Fix the header ".repeat(20)}\n\nAnd more`);
    const { scm } = await readCommit({ cwd, env: {} });
    assert.equal(scm?.message, "Fix the header ".repeat(20).slice(0, 200).trim());
    const facts = { GITLAB_CI: "true", CI_PROJECT_NAMESPACE: "acme", CI_PROJECT_NAME: "shop" };
    const unknown = await readCommit({ cwd, env: { ...facts, CI_COMMIT_SHA: SHA } });
    assert.deepEqual([unknown.scm?.sha, unknown.scm?.message], [SHA, undefined]);
    await rm(cwd, { recursive: true });
  });

  it("is missing without a repository", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "vrs-no-git-"));
    assert.deepEqual(await readCommit({ cwd, env: {} }), { scm: null, branch: null, isDirty: false });
    assert.equal((await readCommit({ cwd, env: { BRANCH_NAME: "main" } })).branch, "main");
    await rm(cwd, { recursive: true });
  });
});

describe("the body of vrs run", () => {
  const none = { scm: null, branch: null, isDirty: false };
  const commit = { scm: { owner: "acme", repo: "shop", sha: SHA, pr: 7 }, branch: "fix", isDirty: false };
  const config = {
    ...projectConfigSchema.parse({
      baseUrl: "https://shop.example",
      routes: ["/", "/pricing"],
      viewports: [375],
      threshold: 0.02,
      masks: [".ad"],
      perRoute: { "/pricing": { hide: [".chat"] } },
    }),
    plugins: [],
  };

  it("is refused with the name of the invalid field", () => {
    const wrong: [Parameters<typeof runBody>[0], RegExp][] = [
      [{ rerun: false }, /no URL to check\. Give one: vrs run --url/],
      [{ rerun: false, url: "localhost:3000" }, /"url" must be an absolute http or https URL/],
      [{ rerun: false, url: "https://a.example", routes: ["pricing"] }, /"routes\[0\]" must be a path/],
      [
        { rerun: false, url: "https://a.example", viewports: ["wide"] },
        /--viewports: "wide" is not a width from 240 to 3,840 px/,
      ],
      [
        { rerun: false, url: "https://a.example", threshold: "5" },
        /--threshold must be a fraction.*You gave "5"/,
      ],
      [{ rerun: false, url: "https://a.example", threshold: " " }, /--threshold must be a fraction/],
    ];
    for (const [flags, reason] of wrong)
      assert.throws(
        () => runBody(flags, null, none),
        error => error instanceof CommandError && reason.test(error.message),
      );
  });

  it("serves an archive below its base path, which is that of a folder", () => {
    const archiveId = "a".repeat(64);
    const body = (basePath?: string) =>
      runBody(
        { rerun: false, archiveId, project: "x", ...(basePath !== undefined && { basePath }) },
        null,
        none,
      );
    assert.equal(body().url, "http://archive.localhost/");
    for (const path of ["/repo-name/", "/repo-name"])
      assert.equal(body(path).url, "http://archive.localhost/repo-name/");
    for (const path of ["repo", "//evil.example", "/../x", "/a?b", "/a#b", "http://evil.example/"])
      assert.throws(
        () => body(path),
        error =>
          error instanceof CommandError && /--base-path .* is not the path of a folder/.test(error.message),
        path,
      );
  });

  it("of stories has their settings, and nothing that is for routes", () => {
    const storybook = { source: "dist/sb", tags: ["!slow"], viewports: [400], threshold: 0.5 };
    const some = {
      ...projectConfigSchema.parse({
        ...{ baseUrl: "https://shop.example", routes: ["/a"], masks: [".ad"], steps: [], storybook },
        ...{ environments: { dark: { colorScheme: "dark" } }, perRoute: { "/a": { hide: [".chat"] } } },
      }),
      plugins: [],
    };
    const loaded = { config: some, file: "/repo/service.config.ts", root: "/repo" };
    const flags = withStorybook({ rerun: false, storybook: true }, loaded, "/repo/packages");
    assert.deepEqual([flags.archive, flags.storybook], ["../dist/sb", { tags: ["!slow"] }]);
    const url = "https://stories.example";
    assert.deepEqual(runBody({ ...flags, url }, some, none), {
      ...{ url, storybook: { tags: ["!slow"] }, viewports: [400], threshold: 0.5 },
      options: { masks: [".ad"] },
    });
    const given = withStorybook({ url, storybook: true, tags: ["a"] }, loaded, "/repo");
    assert.deepEqual([given.url, given.archive, given.storybook], [url, undefined, { tags: ["a"] }]);
    assert.equal(withStorybook({ storybook: true }, null, "/x").archive, "storybook-static");
    assert.throws(() => withStorybook({ tags: ["a"] }, null, "/x"), /Add --storybook/);
    assert.throws(() => withStorybook({ onlyChanged: true }, null, "/x"), /Add --storybook/);
    assert.throws(() => withStorybook({ storybook: true, routes: ["/"] }, null, "/x"), /can't be combined/);
  });

  it("of stories skips unchanged ones of a build, as the command line or the configuration says", () => {
    const url = "https://stories.example";
    const storybook = { onlyChanged: true };
    const config = { ...projectConfigSchema.parse({ storybook }), plugins: [] };
    const loaded = { config, file: "/repo/service.config.ts", root: "/repo" };
    const chosen = (flags: Parameters<typeof withStorybook>[0], with_ = loaded) =>
      withStorybook({ storybook: true, ...flags }, with_, "/repo").storybook;
    assert.deepEqual(chosen({}), { onlyChanged: true });
    assert.deepEqual(chosen({ onlyChanged: false }), { onlyChanged: false });
    assert.deepEqual(chosen({ url }), {});
    assert.deepEqual(withStorybook({ storybook: true, onlyChanged: true }, null, "/x").storybook, storybook);
    assert.throws(() => chosen({ url, onlyChanged: true }), /needs the files of a build/);
  });

  it("follows the configuration, and the command line before it", () => {
    assert.deepEqual(runBody({ rerun: false, url: "https://a.example" }, null, none), {
      url: "https://a.example",
    });
    assert.deepEqual(runBody({ rerun: false }, config, commit), {
      url: "https://shop.example",
      routes: ["/", "/pricing"],
      viewports: [375],
      threshold: 0.02,
      options: { masks: [".ad"], perRoute: { "/pricing": { hide: [".chat"] } } },
      branch: "fix",
      scm: { ...commit.scm, branch: "fix" },
    });
    assert.partialDeepStrictEqual(
      runBody({ rerun: false, routes: ["/"], branch: "other" }, config, { ...commit, isDirty: true }),
      {
        routes: ["/"],
        options: { perRoute: {} },
        partial: true,
        branch: "other",
        rerun: true,
      },
    );
  });

  it("has no route setting that the command line overrides", () => {
    const own = { viewports: [1440], threshold: 0, hide: [".chat"] };
    const some = { ...config, perRoute: { "/": { threshold: 0.5 }, "/pricing": own } };
    const perRoute = (flags: Partial<Parameters<typeof runBody>[0]>) =>
      runBody({ rerun: false, ...flags }, some, none).options?.perRoute;
    assert.deepEqual(perRoute({}), some.perRoute);
    assert.deepEqual(perRoute({ viewports: ["800"] }), {
      "/": { threshold: 0.5 },
      "/pricing": { threshold: 0, hide: [".chat"] },
    });
    assert.deepEqual(perRoute({ threshold: "0.1", routes: ["/pricing"] }), {
      "/pricing": { viewports: [1440], hide: [".chat"] },
    });
  });

  it("has an exit code for each conclusion", () => {
    const of = (status: RunView["status"], conclusion: RunView["conclusion"]) =>
      exitCodeOf({ status, conclusion });
    assert.deepEqual([of("completed", "passed"), of("completed", "approved")], [0, 0]);
    assert.deepEqual(
      [of("completed", "changed"), of("completed", "new"), of("completed", "rejected")],
      [1, 1, 1],
    );
    assert.deepEqual([of("failed", null), of("canceled", null)], [2, 2]);
  });
});

describe("sessions in the body of vrs run", () => {
  const none = { scm: null, branch: null, isDirty: false };
  const sessions = { editor: { storageState: "auth.json" }, reader: { url: "/login" } };
  const bodyOf = (options: object) =>
    runBody({ rerun: false }, { ...projectConfigSchema.parse({ sessions, ...options }), plugins: [] }, none);

  it("are sent with environments and steps", () => {
    const options = {
      session: "reader",
      environments: { dark: { colorScheme: "dark" } },
      steps: [{ action: "hover", selector: "nav" }],
    };
    assert.deepEqual(bodyOf(options).options, { sessions, ...options });
  });

  it("can't have the file of a storage state if a page names them", () => {
    assert.throws(
      () => bodyOf({ session: "editor" }),
      /session editor has the storage state auth\.json\. The service/,
    );
    assert.throws(() => bodyOf({ perRoute: { "/": { session: "editor" } } }), /The service can't read files/);
    const staff = { clientCertificates: [{ cert: "a", keyPath: "staff.key" }] };
    assert.throws(
      () => bodyOf({ sessions: { staff }, session: "staff" }),
      /session staff has the client certificate staff\.key\. The service can't read files/,
    );
  });
});

describe("the result of a run", () => {
  const reported = (quiet: boolean) => {
    const terminal = new RecordingTerminal({ columns: 200 });
    const run = makeRun({
      id: "run_1",
      status: "completed",
      conclusion: "changed",
      counts: { unchanged: 2, minor: 1, changed: 1, new: 0, removed: 0, failed: 0 },
    });
    const same = makeScreenshot({ status: "unchanged", diffRatio: 0, diffPixels: 0 });
    const near = makeScreenshot({
      ...{ route: "/near", status: "unchanged", minor: true },
      ...{ diffRatio: 0.004, diffPixels: 7 },
    });
    const screenshots = [makeScreenshot({ route: "/pricing" }), near, same];
    printRun(terminal, { run, screenshots }, { quiet, json: false, verbose: false });
    return terminal.printed;
  };

  it("has the number of minor changes and their pages", () => {
    assert.match(reported(false), /changed: 1 changed, 1 minor change, 1 unchanged/);
    assert.match(
      reported(false),
      /^≈ 1 minor change, within the threshold\n {4}\/near {2}1280 {2}0\.4%, 7 pixels$/m,
    );
  });

  it("has the changed pages with --quiet too", () => {
    assert.match(reported(true), /^ +\/pricing +1280 +± changed/m);
  });
});

describe("the access to a service", () => {
  let home: string;
  const saved = { url: "https://vrs.example", apiKey: "vrs_a_key" };
  const env = (more: Record<string, string> = {}) => ({ XDG_CONFIG_HOME: home, ...more });

  before(async () => {
    home = await mkdtemp(join(tmpdir(), "vrs-home-"));
  });

  after(() => rm(home, { recursive: true }));

  it("is refused if it is invalid, without printing the key", () => {
    for (const url of ["", "vrs.example", "https://vrs.example/?x", "https://me:pass@vrs.example", "ftp://x"])
      assert.throws(() => readApiUrl(url, "--url"), /--url must be the URL of a service/, url);
    assert.throws(
      () => readApiKey("vrs_secret key", "SERVICE_API_KEY"),
      error =>
        error instanceof CommandError &&
        /is not an API key/.test(error.message) &&
        !error.message.includes("secret"),
    );
    assert.throws(() => readApiKey("\n", "Standard input"), /is empty/);
  });

  it("is readable by its user only", async () => {
    await assert.rejects(readAccess({ env: env() }), /vrs login/);
    const file = await saveLogin(env(), saved);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(join(home, "vrs"))).mode & 0o777, 0o700);
    assert.deepEqual(await readAccess({ env: env() }), saved);
    await writeFile(file, "half a fi");
    await assert.rejects(readAccess({ env: env() }), /vrs login/);
    await saveLogin(env(), saved);
    assert.deepEqual([await deleteLogin(env()), await deleteLogin(env())], [true, false]);
    await assert.rejects(readFile(file), /ENOENT/);
  });

  it("is the environment's first, and a saved key is sent only to its own address", async () => {
    await saveLogin(env(), saved);
    assert.deepEqual(await readAccess({ env: env({ SERVICE_API_KEY: "vrs_other" }) }), {
      ...saved,
      apiKey: "vrs_other",
    });
    assert.deepEqual(await readAccess({ env: env({ SERVICE_API_URL: "https://vrs.example/" }) }), saved);
    await assert.rejects(
      readAccess({ env: env({ SERVICE_API_URL: "https://evil.example" }) }),
      /no API key for https:\/\/evil\.example/,
    );
    await deleteLogin(env());
    await assert.rejects(
      readAccess({ env: env({ SERVICE_API_KEY: "vrs_other" }) }),
      /SERVICE_API_URL is not/,
    );
  });
});
