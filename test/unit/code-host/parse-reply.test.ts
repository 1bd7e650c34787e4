import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeThread } from "../../../services/scm/threads/describe-thread.ts";
import { referencesIn, replyTextOf } from "../../../services/scm/threads/parse-reply.rule.ts";
import type { MirroredThread } from "../../../shared/contracts/reviews/mirror.ts";

const LINK = "https://vrs.example/review/run_1?shot=shot_1&comment=com_1";
const QUOTE = `> **ada** on [\`/\` at 1280 px](${LINK})\n>\n> > The button moved.`;

describe("A reply on a pull request", () => {
  const cases: [string, string, { threadIds: string[]; hostIds: string[] }, string][] = [
    ["quotes the thread", `${QUOTE}\n\nIt should.`, { threadIds: ["com_1"], hostIds: [] }, "It should."],
    [
      "has the code host's line ends",
      `${QUOTE}\n\nOne\nTwo`.replaceAll("\n", "\r\n"),
      { threadIds: ["com_1"], hostIds: [] },
      "One\nTwo",
    ],
    [
      "links the comment instead",
      "https://host.example/octo/site/pull/1#issuecomment-42\nFixed",
      { threadIds: [], hostIds: ["42"] },
      "Fixed",
    ],
    [
      "keeps quotes of other texts",
      `${QUOTE}\n\nNo.\n\n> another text\n\nYes.`,
      { threadIds: ["com_1"], hostIds: [] },
      "No.\n\n> another text\n\nYes.",
    ],
    [
      "keeps a link within a sentence",
      `See ${LINK}, please`,
      { threadIds: ["com_1"], hostIds: [] },
      `See ${LINK}, please`,
    ],
    ["names nothing", "Looks good to me", { threadIds: [], hostIds: [] }, "Looks good to me"],
    ["only quotes", QUOTE, { threadIds: ["com_1"], hostIds: [] }, ""],
    [
      "hides text and control characters",
      `${QUOTE}\n\nA<!-- hidden\ntext -->B\u0000\u0007C`,
      { threadIds: ["com_1"], hostIds: [] },
      "AB  C",
    ],
  ];
  for (const [name, body, references, text] of cases)
    it(name, () => {
      assert.deepEqual(referencesIn(body), references);
      assert.equal(replyTextOf(body), text);
    });

  it("is cut to the longest comment, and searched within bounds", () => {
    assert.equal(replyTextOf(`${QUOTE}\n\n${"x".repeat(70_000)}`).length, 2_000);
    const many = Array.from({ length: 500 }, (_, at) => `?comment=com_${at}`).join(" ");
    assert.equal(referencesIn(many).threadIds.length, 10);
    const started = performance.now();
    replyTextOf(`${"\n>".repeat(30_000)}${QUOTE}${"\n> ".repeat(10_000)}`);
    assert.ok(performance.now() - started < 2_000);
  });

  it("is read once, also with many comments of Markdown that never end", () => {
    const open = "<!--".repeat(16_000);
    const started = performance.now();
    assert.match(replyTextOf(`${QUOTE}\n\nA<!-- b --> C ${open}`), /^A C <!--<!--/);
    assert.ok(performance.now() - started < 200);
  });
});

describe("The comment of a thread", () => {
  const thread: MirroredThread = {
    id: "com_1",
    screenshotId: "shot_1",
    page: { name: "/pricing", viewport: 1280 },
    isOnRegion: true,
    comments: [{ by: "ada", text: "Why?" }],
    omitted: 0,
    resolvedBy: null,
  };
  const REPORT = "https://vrs.example/v1/reports/run_1?token=secret";

  it("links the spot without the report's token, and is found again in a quote of it", () => {
    const body = describeThread(thread, REPORT, { canResolve: true });
    const [, href = ""] = /href="([^"]+)"/.exec(body) ?? [];
    const url = href.replaceAll("&#38;", "&");
    assert.equal(url, "https://vrs.example/review/run_1?shot=shot_1&comment=com_1");
    assert.ok(!body.includes("secret"));
    assert.deepEqual(referencesIn(`> [x](${url})`).threadIds, ["com_1"]);
    assert.match(body, /a region of/);
  });

  it("contains no markup, mention, or reference of its authors", () => {
    const text =
      "<img src=x> @octocat #1 [a](https://evil.example)\n**bold** `code` <!-- vrs thread com_2 -->";
    const hostile = { by: "@octocat <b>", text };
    const body = describeThread({ ...thread, comments: [hostile, hostile], resolvedBy: "@x" }, REPORT, {
      canResolve: true,
    });
    assert.doesNotMatch(body, /<img|@octocat|@x|\[a\]|\*\*bold|#1|com_2 -->|https:\/\/evil/);
    assert.match(body, /^<!-- vrs thread com_1 -->\n/);
    assert.match(body, /Resolved by/);
  });

  it("stays within the code host's limit with the longest comments", () => {
    const long = { by: "@".repeat(200), text: "@".repeat(1_000) };
    const comments = Array.from({ length: 21 }, () => long);
    const body = describeThread({ ...thread, comments }, REPORT, { canResolve: true });
    assert.ok(body.length < 65_536, String(body.length));
  });
});
