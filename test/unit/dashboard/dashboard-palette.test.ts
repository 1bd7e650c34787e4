import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type Command, matchCommands } from "../../../dashboard/palette/match-commands.rule.ts";
import { rangeOf } from "../../../dashboard/run/use-selection.ts";

describe("The command palette", () => {
  const command = (label: string, detail = ""): Command => ({
    ...{ id: label, kind: "page", label, detail, to: { page: "monitors" } },
  });
  const labels = (commands: readonly Command[], text: string) =>
    matchCommands(commands, text).map(({ label }) => label);

  it("finds all words anywhere, and shows those that begin with the text first", () => {
    const commands = [
      command("Old shop", "main"),
      command("Runs of shop"),
      command("Shop", "feature · 3f9c1aa"),
      command("Team"),
    ];
    assert.deepEqual(labels(commands, " SHOP "), ["Shop", "Old shop", "Runs of shop"]);
    assert.deepEqual(labels(commands, "3f9 shop"), ["Shop"]);
    assert.deepEqual(labels(commands, "nothing"), []);
    assert.equal(labels(commands, "").length, 4);
  });

  it("shows a few of many", () => {
    assert.equal(
      labels(
        Array.from({ length: 50 }, (_, index) => command(`run ${index}`)),
        "run",
      ).length,
      12,
    );
  });
});

describe("A range of selected screenshots", () => {
  const order = ["a", "b", "c", "d"];

  it("reaches from the last toggled one, in both directions", () => {
    assert.deepEqual(rangeOf(order, "b", ["d"]), ["b", "c", "d"]);
    assert.deepEqual(rangeOf(order, "c", ["a"]), ["a", "b", "c"]);
    assert.deepEqual(rangeOf(order, "a", ["c", "d"]), order);
  });

  it("is only the toggled ones without a start", () => {
    assert.deepEqual(rangeOf(order, null, ["c"]), ["c"]);
    assert.deepEqual(rangeOf(order, "gone", ["c"]), ["c"]);
  });
});
