import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  completeMention,
  matchingMembers,
  mentionAt,
} from "../../../dashboard/people/mention-completion.rule.ts";
import { regionBetween } from "../../../dashboard/review/comments/pins.ts";
import { openThreads, threadsAt, threadsOf } from "../../../dashboard/review/comments/threads.rule.ts";
import { formatSpot, spotIn } from "../../../dashboard/review/stage/spot.rule.ts";
import type { CommentView } from "../../../shared/contracts/reviews/comments.ts";

const comment = (id: string, fields: Partial<CommentView> = {}): CommentView => ({
  ...{ id, runId: "run_1", threadId: id, screenshotId: "shot_1", region: null, text: id },
  ...{ by: { kind: "user", id: "user_1", name: "ada" }, countsAs: "user_1" },
  ...{ createdAt: "2026-11-19T16:20:00.000Z", editedAt: null, externalUrl: null, resolved: null },
  mentions: [],
  ...fields,
});

describe("Threads", () => {
  it("hold their replies, and are shown on their screenshot or on all", () => {
    const threads = threadsOf([
      comment("one"),
      comment("two", { screenshotId: "shot_2" }),
      comment("reply", { threadId: "one" }),
      comment("run", { screenshotId: null }),
      comment("lost", { threadId: "deleted" }),
    ]);
    const shown = (id: string | null) =>
      threadsAt(threads, id).map(({ first, replies }) => [first.id, ...replies.map(reply => reply.id)]);
    assert.deepEqual(shown("shot_1"), [["one", "reply"], ["run"]]);
    assert.deepEqual(shown(null), [["run"]]);
  });

  it("count on their screenshots until they are resolved", () => {
    const resolved = { by: "ada", at: "2026-11-19T16:20:00.000Z" };
    const threads = threadsOf([
      comment("one"),
      comment("two"),
      comment("done", { resolved }),
      comment("run", { screenshotId: null }),
    ]);
    assert.deepEqual([...openThreads(threads)], [["shot_1", 2]]);
  });
});

describe("A drawn region", () => {
  const page = { width: 100, height: 200 };

  it("is in whole px within the page, in any direction", () => {
    const region = { x: 10, y: 20, width: 41, height: 60 };
    assert.deepEqual(regionBetween({ x: 10.4, y: 20 }, { x: 51.2, y: 80 }, page), region);
    assert.deepEqual(regionBetween({ x: 51.2, y: 80 }, { x: 10.4, y: 20 }, page), region);
    assert.deepEqual(regionBetween({ x: -50, y: 150 }, { x: 500, y: 500 }, page), {
      ...{ x: 0, y: 150, width: 100, height: 50 },
    });
  });

  it("surrounds a click", () => {
    const point = { x: 50, y: 50 };
    assert.deepEqual(regionBetween(point, point, page), { x: 38, y: 38, width: 24, height: 24 });
  });
});

describe("A spot in a link", () => {
  it("is read as it was written", () => {
    assert.equal(formatSpot({ zoom: 1.23456, x: 120.4, y: -3 }), "1.2346,120,0");
    assert.deepEqual(spotIn("1.2346,120,0"), { zoom: 1.2346, x: 120, y: 0 });
  });

  it("is null for anything else", () => {
    for (const text of [undefined, "", "1,2", "0,1,1", "1e9,1,1", "a,1,1", "1,2,3,4", "-1,2,3"])
      assert.equal(spotIn(text), null, String(text));
  });
});

describe("A mention that is being typed", () => {
  it("can be the address of a person of an identity provider", () => {
    const text = "See @jane.doe@ex";
    const mention = mentionAt(text, text.length);
    assert.deepEqual(mention, { text: "jane.doe@ex", start: 4 });
    const members = [
      { login: "jane.doe@example.com", name: null },
      { login: "jane", name: null },
    ];
    const [found, ...others] = matchingMembers(members, mention?.text ?? "");
    assert.deepEqual(others, []);
    assert.equal(
      completeMention(text, mention ?? assert.fail(), found?.login ?? "").text,
      "See @jane.doe@example.com ",
    );
  });
});
