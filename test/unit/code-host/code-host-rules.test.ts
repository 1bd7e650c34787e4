import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { namesOtherRun } from "../../../services/scm/checks/check-name.rule.ts";
import { describeCheck, describeCheckBriefly } from "../../../services/scm/checks/describe-check.ts";
import { writeLimitsOf } from "../../../services/scm/code-host/github/github-app.ts";
import { requestedPauseMs } from "../../../services/scm/code-host/request-limits.ts";
import { describeComment } from "../../../services/scm/pull-requests/describe-comment.ts";
import { PreviewCache } from "../../../services/scm/pull-requests/preview-cache.ts";
import { providerOf } from "../../../services/scm/pull-requests/preview-provider.rule.ts";
import {
  hasWord,
  isProduction,
  refusePreview,
  renderTemplate,
} from "../../../services/scm/pull-requests/preview-url.rule.ts";
import { isBearer, isSignedBy } from "../../../services/scm/webhooks/signature.rule.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { escapeMarkdown } from "../../../shared/text/code-host-markdown.ts";
import { asMarkdown } from "../../../shared/text/code-spans.ts";
import { makeRun, makeScreenshot } from "../../support/fixtures/run-views.ts";

const FACTS = { owner: "octo", repo: "site", prNumber: 7, commitSha: "0123456789abcdef", branch: "fix/it" };
const CHECK = { note: null, previewUrl: "https://preview.example" };
const endedState = (screenshots = [makeScreenshot()], more: object = {}) => ({
  kind: "ended" as const,
  run: makeRun({
    id: "run_1",
    status: "completed",
    conclusion: "changed",
    completedAt: new Date().toISOString(),
    ...more,
  }),
  screenshots,
});

describe("The report that a check run links", () => {
  it("names the run that its buttons are for, also in a minimal check run", () => {
    const state = endedState();
    const full = describeCheck(CHECK, state);
    const { detailsUrl } = describeCheckBriefly(full, state);
    assert.equal(detailsUrl, full.detailsUrl);
    assert.equal(namesOtherRun(detailsUrl ?? null, "run_1"), false);
    assert.equal(namesOtherRun(detailsUrl ?? null, "run_2"), true);
    // A token is not the name of a run.
    assert.equal(namesOtherRun("https://vrs.example/v1/reports/run_2?token=/run_1/", "run_2"), false);
    for (const unknown of [null, "", "no url", "https://ci.example/12"])
      assert.equal(namesOtherRun(unknown, "run_1"), false);
  });
});

describe("The preview URL template", () => {
  it("replaces every placeholder and keeps unknown ones", () => {
    const template =
      "https://x.example/{owner}/{repo}/{prNumber}/{commitSha}/{commitShortSha}/{branch}/{other}/{toString}";
    assert.equal(
      renderTemplate(template, FACTS),
      "https://x.example/octo/site/7/0123456789abcdef/0123456/fix/it/{other}/{toString}",
    );
  });

  it("turns any branch name into a hostname label", () => {
    const hostOf = (branch: string, template = "https://{branchSlug}.x.example") =>
      renderTemplate(template, { ...FACTS, branch });
    assert.equal(hostOf("Feature/ABC_1.2"), "https://feature-abc-1-2.x.example");
    assert.equal(
      hostOf("fix/it", "https://{repo}-git-{branchSlug}.x.example/{branchSlug}"),
      "https://site-git-fix-it.x.example/fix-it",
    );
    assert.equal(hostOf("--é/a--b/"), "https://a--b.x.example");
    assert.equal(hostOf(`${"a".repeat(62)}/b`), `https://${"a".repeat(62)}.x.example`);
    assert.equal(hostOf("日本語"), null, "nothing is left of it");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }), branch => {
        const url = hostOf(branch);
        assert.ok(
          url === null || /^https:\/\/[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.x\.example$/.test(url),
          url ?? "",
        );
      }),
    );
  });

  it("encodes special characters of a branch name in the path, query, and fragment", () => {
    const render = (branch: string) =>
      renderTemplate("https://x.example/{branch}/app?on={branch}&v=1#{branch}", { ...FACTS, branch });
    assert.equal(render("fix-#12/a"), "https://x.example/fix-%2312/a/app?on=fix-%2312/a&v=1#fix-%2312/a");
    for (const branch of ["x&y=1", "a?b", "50%25", "a+b", "grün", "a;b", "fix/#12"]) {
      const url = URL.parse(render(branch) ?? "");
      assert.ok(url);
      assert.equal(decodeURIComponent(url.pathname), `/${branch}/app`);
      assert.deepEqual(
        [...url.searchParams],
        [
          ["on", branch],
          ["v", "1"],
        ],
      );
      assert.equal(decodeURIComponent(url.hash), `#${branch}`);
    }
  });

  it("never renders to another host for any branch name", () => {
    const hostOf = (url: string | null) => url && URL.parse(url)?.host;
    fc.assert(
      fc.property(fc.string(), branch => {
        const host = hostOf(
          renderTemplate("https://{branch}.previews.example/{branch}?{branch}#{branch}", {
            ...FACTS,
            branch,
          }),
        );
        assert.ok(!host || host.endsWith(".previews.example"), `${branch}: ${host}`);
        assert.equal(
          hostOf(renderTemplate("https://previews.example/{branch}", { ...FACTS, branch })),
          "previews.example",
        );
      }),
    );
    for (const branch of [
      "evil.example/",
      "evil.example?",
      "evil.example#",
      "a@evil.example",
      "evil.example:1\\",
    ])
      assert.equal(renderTemplate("https://{branch}.previews.example", { ...FACTS, branch }), null, branch);
  });
});

describe("The preview guard", () => {
  const refuse = (url: string, hosts: string[] = []) =>
    refusePreview(url, "https://code.example/octo/site", addressPolicy(hosts));

  it("allows public https addresses, and others only if the operator allowed their host", () => {
    assert.equal(refuse("https://site.example/a"), null);
    for (const url of [
      "http://site.example",
      "https://10.0.0.1",
      "https://localhost",
      "ftp://a.example",
      "https://u:p@a.example",
      "x",
    ])
      assert.notEqual(refuse(url), null, url);
    assert.equal(refuse("http://localhost:3000", ["localhost"]), null);
    assert.equal(refuse("http://localhost:3000", ["localhost:3000"]), null);
    assert.notEqual(refuse("http://localhost:3001", ["localhost:3000"]), null);
    assert.notEqual(refuse("http://localhost:22", ["localhost"]), null);
  });

  it("refuses pages of the code host, including the pull request itself", () => {
    assert.match(refuse("https://code.example/octo/site/pull/7") ?? "", /code host/);
    assert.match(refuse("https://CODE.example/other", ["code.example"]) ?? "", /code host/);
  });

  it("identifies platforms by domain, name, and app, and others only by settings", () => {
    const settings = {
      platformName: "Hosting",
      platformDomains: ["hosting.app"],
      previewDomains: { b: "bplatform.app", c: null },
      previewNames: { b: null, c: "C Cloud" },
      previewEnvironments: ["staging", "review/*", "a*b*c", "xy*yx"],
    };
    const of = (address: string | null, environment: string, creatorLogin: string | null = null) =>
      providerOf({ address, environment, creatorLogin }, settings);
    const own = "https://own.example";
    assert.equal(of("https://x.hosting.app", "Preview"), "platform");
    assert.equal(of(own, "Preview – hosting"), "platform");
    assert.equal(of(own, "Preview", "hosting[bot]"), "platform");
    assert.equal(of("https://x.bplatform.app", ""), "b");
    assert.equal(of(null, "BPlatform preview"), "b");
    assert.equal(of(own, "my c cloud preview"), "c");
    for (const environment of ["staging", "Staging ", "review/7", "a-b-c", "abc"])
      assert.equal(of(own, environment), "named", environment);
    for (const environment of ["github-pages", "staging-2", "review", "ab", "preview", "ac", "xyx"])
      assert.equal(of("https://notbplatform.app", environment, "hosting"), "other", environment);
  });

  it("recognizes production in any spelling", () => {
    const environments = [
      "production",
      " Production – site",
      "Production: site",
      "preproduction",
      "production-preview",
      "preview",
    ];
    assert.deepEqual(environments.filter(isProduction), environments.slice(0, 3));
  });

  it("recognizes the platform's statuses by its name as a whole word", () => {
    for (const context of [
      "platform",
      "Platform – deploy",
      "deploy/platform",
      "Platform: shop",
      "(PLATFORM)",
      "platform-preview",
      "deploy platform_shop",
    ])
      assert.ok(hasWord(context, "platform"), context);
    for (const context of [
      "ci/cross-platform tests",
      "cross_platform",
      "platforms",
      "Plattform",
      "éplatform",
    ])
      assert.ok(!hasWord(context, "platform"), context);
    assert.ok(hasWord("deploy (a.b+) shop", "A.b+"));
    assert.ok(!hasWord("deploy axb+", "a.b+"));
    const signs = "a \\^$.*+?()[]{}|/-&,'\"";
    assert.ok(hasWord(`deploy: ${signs} b`, signs));
  });

  it("keeps a limited number of previews, the latest ones", () => {
    const cache = new PreviewCache(2);
    for (const key of ["a", "b", "a", "c"]) cache.put(key, `https://${key}.example`);
    assert.deepEqual(
      ["a", "b", "c"].map(key => cache.get(key)),
      ["https://a.example", null, "https://c.example"],
    );
  });
});

describe("A webhook signature", () => {
  it("is valid only for the same bytes and secret", () => {
    // The example in the code host's documentation.
    const [secret, body] = ["It's a Secret to Everybody", Buffer.from("Hello, World!")];
    const good = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    assert.ok(isSignedBy(secret, body, good));
    assert.ok(!isSignedBy(secret, Buffer.from("Hello, World"), good));
    assert.ok(!isSignedBy("another", body, good));
    for (const bad of [
      undefined,
      "",
      "sha256=",
      good.slice(7),
      `${good}00`,
      good.replace("7", "8"),
      "sha256=ü",
    ])
      assert.ok(!isSignedBy(secret, body, bad), bad);
    assert.ok(isBearer("secret", "Bearer secret") && isBearer("secret", "bearer  secret"));
    for (const bad of [undefined, "", "Bearer", "Bearer secret2", "Basic secret", "secret", "Bearer sec ret"])
      assert.ok(!isBearer("secret", bad), bad);
  });
});

describe("The pause that the code host requests", () => {
  const now = 1_700_000_000_000;
  const pause = (status: number, headers: Record<string, string> = {}, message = "") =>
    requestedPauseMs({ status, headers, message }, now);
  for (const [what, actual, expected] of [
    ["Retry-After", pause(429, { "retry-after": "7" }), 7_000],
    ["Retry-After of a secondary limit", pause(403, { "retry-after": "60" }), 60_000],
    [
      "a used-up limit's reset",
      pause(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000030" }),
      31_000,
    ],
    [
      "a reset that is over",
      pause(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1600000000" }),
      0,
    ],
    ["a secondary limit without a time", pause(403, {}, "You have exceeded a secondary rate limit."), 60_000],
    ["a 429 without a time", pause(429), 60_000],
    ["a day", pause(429, { "retry-after": "86400" }), 3_600_000],
    ["nonsense", pause(429, { "retry-after": "soon" }), 60_000],
    [
      "a refusal",
      pause(403, { "x-ratelimit-remaining": "41" }, "Resource not accessible by integration"),
      null,
    ],
    ["a fault", pause(500, { "retry-after": "7" }), null],
  ] as const)
    it(`is ${expected} ms for ${what}`, () => assert.equal(actual, expected));
});

describe("A check run", () => {
  it("shows the conclusion, then each changed screenshot with its difference, image, and baseline, and folds the rest", () => {
    const shots = [
      makeScreenshot({ route: "/a", diffRatio: 0.034 }),
      makeScreenshot({
        route: "/new",
        status: "new",
        baseline: null,
        diffRatio: null,
        images: { current: "https://v.example/n.png", baseline: null, diff: null },
      }),
      makeScreenshot({
        route: "/failed",
        status: "failed",
        error: "The page did not answer.",
        diffRatio: null,
      }),
      makeScreenshot({ route: "/same", status: "unchanged", diffRatio: 0 }),
    ];
    const { conclusion, output, detailsUrl } = describeCheck(CHECK, endedState(shots));
    assert.equal(conclusion, "action_required");
    assert.equal(detailsUrl, "https://vrs.example/r/run_1?token=t");
    assert.match(output.title, /1 change/);
    const [visible = "", folded = ""] = output.summary.split("<details>");
    assert.match(
      visible,
      /\/a<\/code> \| 1280 px \| 3&#46;4.*<a href="https:\/\/vrs.example\/r\/run_1\?token=t#shot_\d+\/side"><img src="https:\/\/vrs.example\/change.png".*\| latest approved on main \|/,
    );
    assert.match(visible, /\/new.*no baseline yet.*n\.png\?w=320&#38;band=0".*none/);
    assert.match(visible, /\/failed.*The page did not answer/);
    assert.doesNotMatch(visible, /\/same/);
    assert.match(folded, /\/same/);
  });

  it("shows what ignore regions hide", () => {
    const hiding = (pixels: number) => {
      const regions = [{ x: 0, y: 0, width: 9, height: 9, pixels }];
      return makeScreenshot({ status: "unchanged", ignored: { pixels, regions } });
    };
    const textsOf = (shots: ReturnType<typeof makeScreenshot>[]) => {
      const state = endedState(shots, { conclusion: "passed" });
      return [describeCheck(CHECK, state).output.summary, describeComment(state, "0123456789") ?? ""];
    };
    for (const text of textsOf([hiding(1200), hiding(34), hiding(0)]))
      assert.match(text, /^Ignore regions hide 1,234 changed pixels in 2 screenshots\.$/m);
    for (const text of textsOf([hiding(0)])) assert.doesNotMatch(text, /gnore region/);
  });

  describe("with minor changes", () => {
    const minor = (route: string, more: Parameters<typeof makeScreenshot>[0] = {}) =>
      makeScreenshot({
        route,
        status: "unchanged",
        minor: true,
        diffRatio: 0.0036,
        diffPixels: 412,
        ...more,
      });
    const same = () => makeScreenshot({ status: "unchanged", diffRatio: 0, diffPixels: 0 });

    it("shows their number in the title and in a folded table, and stays green", () => {
      const passed = endedState([same(), same(), minor("/near")], { conclusion: "passed" });
      const { conclusion, output } = describeCheck(CHECK, passed);
      assert.equal(conclusion, "success");
      assert.equal(output.title, "2 screenshots unchanged, 1 with a minor change");
      const [visible, first, second] = output.summary.split("<details>");
      assert.doesNotMatch(visible ?? "", /\/near/);
      assert.match(first ?? "", /^<summary>1 minor change<\/summary>/);
      assert.match(first ?? "", /\/near<\/code> \| 1280 px \| 0&#46;36.* 412 pixels .*change\.png/);
      assert.match(second ?? "", /^<summary>2 screenshots without open changes/);
    });

    it("lists them folded in the comment, equal ones once and the largest first", () => {
      const shots = [
        minor("/a", { fingerprint: "footer" }),
        minor("/b", { fingerprint: "footer" }),
        minor("/large", { diffRatio: 0.0099 }),
        same(),
      ];
      const comment = describeComment(endedState(shots, { conclusion: "passed" }), "0123456789") ?? "";
      assert.match(comment, /^### Service \/ Preview: 1 screenshot unchanged, 3 with minor changes$/m);
      const [, folded = ""] = comment.split("<details>");
      assert.match(
        folded,
        /^<summary>3 minor changes<\/summary>\n\n\| Change: baseline, new, difference \| Pages \|\n/,
      );
      assert.match(folded, /\/large[\s\S]*\/a<\/code> at 1280 px<br><code>\/b.*\n<\/details>\n\n<sub>/);
    });

    it("omits from the comment what does not fit, and closes each folded section", () => {
      const many = Array.from({ length: 1_000 }, (_, n) => minor(`/${"<|`@x>".repeat(20)}${n}`));
      const comment = describeComment(endedState([makeScreenshot(), ...many]), "0123456789") ?? "";
      assert.ok(comment.length < 65_536 && comment.length > 30_000, String(comment.length));
      assert.match(comment, /\n<\/details>\n\nThe report shows more\.\n/);
    });

    it("separates them from unchanged screenshots if only the counts are known", () => {
      const counts = { unchanged: 40, minor: 3, changed: 2, new: 0, removed: 0, failed: 0 };
      const outcome = { counts, conclusion: "action_required" as const, reportUrl: "https://vrs.example/r" };
      const { output } = describeCheck(CHECK, { kind: "reported", outcome });
      assert.equal(output.title, "2 changed, 3 minor changes, 37 unchanged");
    });
  });

  it("stays within the code host's limit, and counts what it omits", () => {
    const shots = Array.from({ length: 2_000 }, (_, index) =>
      makeScreenshot({
        route: `/${"<|`@x>".repeat(40)}${index}`,
        status: index % 2 ? "changed" : "unchanged",
      }),
    );
    const { output } = describeCheck({ ...CHECK, note: "@".repeat(1_000) }, endedState(shots));
    assert.ok(
      output.summary.length <= 65_535 && output.summary.length > 30_000,
      String(output.summary.length),
    );
    const [, left] = /([\d,]+) more screenshots/.exec(output.summary) ?? [];
    const rows = output.summary.match(/^\| <code>/gm)?.length ?? 0;
    assert.equal(Number(left?.replace(",", "")) + rows, 2_000);
    assert.ok((describeComment(endedState(shots), "0123456789") ?? "").length < 65_536);
  });

  it("stays within the code host's limit in bytes, in any script", () => {
    for (const sign of ["ß", "日", "🛒", "@"]) {
      const shots = Array.from({ length: 600 }, (_, index) =>
        makeScreenshot({ route: `/${sign.repeat(40)}${index}` }),
      );
      const faults = Array.from({ length: 200 }, (_, line) => ({
        code: "syntax" as const,
        field: null,
        line,
        column: 1,
        endLine: line,
        endColumn: 2,
        message: sign.repeat(20_000),
      }));
      const states: Parameters<typeof describeCheck>[1][] = [
        endedState(shots),
        { kind: "refused", reason: sign.repeat(100_000) },
        { kind: "misconfigured", path: `${sign.repeat(300)}.ts`, faults },
      ];
      for (const state of states) {
        const { output } = describeCheck({ ...CHECK, note: sign.repeat(50_000) }, state);
        assert.ok(Buffer.byteLength(output.summary) <= 65_535, `${sign} ${state.kind}`);
        assert.ok(Buffer.byteLength(output.title) <= 255);
        for (const { message } of output.annotations ?? []) assert.ok(Buffer.byteLength(message) <= 65_536);
        assert.doesNotMatch(output.summary, /&#\d*(?![\d;])/, "no entity is cut");
      }
      assert.ok((describeComment(endedState(shots), "0123456789") ?? "").length <= 65_536);
    }
  });

  it("escapes markup, mentions, and links in texts of pages and errors", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), text => {
        const safe = escapeMarkdown(text);
        assert.doesNotMatch(safe, /[<>|`*_[\]@\\!~\r\n]/);
        assert.doesNotMatch(safe, /\/\/|www\.|&(?!#\d+;)/);
        assert.doesNotMatch(safe, /(?<!&)#/);
      }),
    );
  });

  it("separates code from the text beside it by a space", () => {
    assert.equal(
      asMarkdown("`h1` color red, by `a/b` (changed)"),
      "<code>h1</code> color red, by <code>a/b</code> &#40;changed&#41;",
    );
    assert.equal(asMarkdown("(`h1`), `h2`"), "&#40;<code>h1</code>&#41;, <code>h2</code>");
  });

  it("lists each reason for a baseline once in the comment", () => {
    const because = (reason: string) =>
      makeScreenshot({ baseline: { runId: "r", reason, width: 1, height: 1 } });
    const reasons = ["latest approved on a|b", "as of the merge base", "as of the merge base"];
    const text = describeComment(endedState(reasons.map(because)), "0123456789") ?? "";
    assert.match(
      text,
      /^Baselines: as of the merge base \(2 screenshots\) · latest approved on a&#124;b \(1 screenshot\)$/m,
    );
    const many = [1, 2, 3, 4, 5, 6, 7].map(n => because(`reason ${n}`));
    assert.match(describeComment(endedState(many), "0123456789") ?? "", / · 2 other reasons in the report$/m);
    assert.doesNotMatch(
      describeComment(endedState([makeScreenshot({ baseline: null })]), "0") ?? "",
      /Baselines:/,
    );
  });

  it("shows the changed part in the comment as a link to the report, never the bare mask", () => {
    const images = { current: "https://v.example/n.png", baseline: null, diff: null };
    const shots = [
      makeScreenshot({ id: "a", route: "/p" }),
      makeScreenshot({ id: "b", status: "new", images }),
    ];
    const text = describeComment(endedState(shots), "0123456789") ?? "";
    assert.match(
      text,
      /^\| Change: baseline, new, difference \| Pages \|\n.*\n\| <a href="https:\/\/vrs.example\/r\/run_1\?token=t#a\/side"><img src="https:\/\/vrs.example\/change.png" alt="Changed part of \/p: baseline, new, and difference" width="480">/m,
    );
    assert.match(
      text,
      /^\| Change \| Pages \|\n.*\n\| <a href=".*#b\/side"><img src="https:\/\/v.example\/n.png\?w=320&#38;band=0"/m,
    );
    assert.doesNotMatch(text, /d\.png/);
  });

  it("shows a change on many pages once in the comment", () => {
    const shots = [1, 2, 3, 4, 5, 6, 7].map(n => makeScreenshot({ route: `/p${n}`, fingerprint: "header" }));
    const text =
      describeComment(
        endedState([...shots, makeScreenshot({ route: "/other", fingerprint: "else" })]),
        "0123456789",
      ) ?? "";
    assert.equal(text.match(/<img/g)?.length, 2);
    assert.match(text, /\/p1<\/code>.*\/p5<\/code>.*and 2 more screenshots/);
    assert.equal(describeComment({ kind: "waiting" }, "0123456789"), null);
  });
});

describe("The writes of an app per minute", () => {
  it("are bounded at the public code host, and not at self-hosted servers", () => {
    for (const api of [null, "https://api.github.com", "https://api.acme.ghe.com"])
      assert.ok((writeLimitsOf(api).checks ?? 1_000) < 80, String(api));
    for (const api of ["https://git.acme.example/api/v3", "https://notgithub.com/api/v3"])
      assert.deepEqual(writeLimitsOf(api), { checks: null, bootstrap: null }, api);
  });
});
