import assert from "node:assert/strict";
import { mentionedLogins } from "../../../services/runs/comments/mentions.rule.ts";
import { codeHostLinks } from "../../../services/runs/inbox/code-host-links.rule.ts";
import { matchesRoute, reviewersOf } from "../../../services/runs/people/match-routes.rule.ts";
import { runReviewersBody } from "../../../shared/contracts/reviews/reviewers.ts";

describe("Mentions", () => {
  const cases: [text: string, logins: string[]][] = [
    ["@ada, please look", ["ada"]],
    ["(@Ada) and @bob-2!", ["ada", "bob-2"]],
    ["@ada @ADA @ada", ["ada"]],
    ["mail ada@example.com", []],
    ["@types/node or acme/@scope", ["types"]],
    ["é@ada and _@ada", []],
    ["no one @ all", []],
    ["line\n@ada", ["ada"]],
    ["@ada.", ["ada"]],
    ["@Jane.Doe@example.com, please", ["jane.doe@example.com"]],
    ["see @jane+x@mail.example.com. @bob", ["jane+x@mail.example.com", "bob"]],
  ];
  for (const [text, logins] of cases)
    it(`in ${JSON.stringify(text)} are ${JSON.stringify(logins)}`, () =>
      assert.deepEqual(mentionedLogins(text), logins));

  it("are at most 20", () => {
    const text = Array.from({ length: 30 }, (_, index) => `@user${index}`).join(" ");
    assert.equal(mentionedLogins(text).length, 20);
  });
});

describe("The reviewers in a body", () => {
  it("can be people of an identity provider, whose login is their address", () => {
    const { reviewers } = runReviewersBody.parse({ reviewers: ["Ada", "Jane.Doe@example.com", "ada"] });
    assert.deepEqual(reviewers, ["ada", "jane.doe@example.com"]);
  });
});

describe("Patterns of routes", () => {
  const cases: [pattern: string, route: string, matches: boolean][] = [
    ["/", "/", true],
    ["/", "/a", false],
    ["/checkout*", "/checkout/pay?step=2", true],
    ["/checkout*", "/check", false],
    ["*/settings", "/team/a/settings", true],
    ["*/settings", "/settings/team", false],
    ["/a*b*c", "/a-b-b-c", true],
    ["/a*b*c", "/a-c-b", false],
    ["*", "", true],
    ["*a", "a", true],
    ["/b", "/a", false],
    ["/b", "/a/b", false],
    ["/a.c", "/abc", false],
  ];
  for (const [pattern, route, matches] of cases)
    it(`${pattern} ${matches ? "matches" : "does not match"} ${route}`, () =>
      assert.equal(matchesRoute(pattern, route), matches));

  it("are fast for any pattern", () => {
    const startedAt = performance.now();
    assert.equal(matchesRoute(`/${"*a".repeat(90)}b`, `/${"a".repeat(2_000)}`), false);
    assert.ok(performance.now() - startedAt < 500);
  });
});

describe("Reviewers by rule", () => {
  const [ada, bob] = [
    { id: "user_ada", login: "ada" },
    { id: "user_bob", login: "bob" },
  ];
  const rules = [
    { routes: ["/checkout*"], reviewers: [ada, bob] },
    { routes: ["/", "/about"], reviewers: [bob] },
  ];

  it("are those of all matching rules, each once", () => {
    assert.deepEqual(reviewersOf(rules, ["/checkout", "/"], { except: null, limit: 9 }), [ada, bob]);
    assert.deepEqual(reviewersOf(rules, ["/about"], { except: null, limit: 9 }), [bob]);
    assert.deepEqual(reviewersOf(rules, ["/other"], { except: null, limit: 9 }), []);
  });

  it("leave out the submitter, and have a limit", () => {
    assert.deepEqual(reviewersOf(rules, ["/checkout"], { except: "user_ada", limit: 9 }), [bob]);
    assert.deepEqual(reviewersOf(rules, ["/checkout"], { except: null, limit: 1 }), [ada]);
  });
});

describe("Links to the code host", () => {
  const scm = { owner: "acme", repo: "shop", sha: "3f9c1aa0" };

  it("are of the branch, the pull request and the commit", () => {
    assert.deepEqual(codeHostLinks("https://host.example", { ...scm, pr: 7, branch: "feat/a b" }, null), {
      branch: "https://host.example/acme/shop/tree/feat/a%20b",
      pullRequest: "https://host.example/acme/shop/pull/7",
      commit: "https://host.example/acme/shop/commit/3f9c1aa0",
    });
  });

  it("are null for what is unknown, and for names that would lead elsewhere", () => {
    const nothing = { branch: null, pullRequest: null, commit: null };
    assert.deepEqual(codeHostLinks(null, scm, "main"), nothing);
    assert.deepEqual(codeHostLinks("https://host.example", null, "main"), nothing);
    assert.deepEqual(codeHostLinks("https://host.example", { ...scm, owner: "../x" }, "main"), nothing);
    assert.equal(codeHostLinks("https://h.example", { ...scm, fromFork: true }, "main").branch, null);
  });
});
