import assert from "node:assert/strict";
import type { Screenshot } from "../../../dashboard/api/screenshot.ts";
import { queueOf } from "../../../dashboard/review/queue/queue.ts";
import { componentOf, orderSections } from "../../../dashboard/review/queue/queue-order.rule.ts";
import { queueRows, withoutParents } from "../../../dashboard/review/queue/queue-tree.rule.ts";
import { matchingScreenshots, NO_SELECTION } from "../../../dashboard/run/screenshot-filters.ts";
import { pathsOf, type StoryNode, storyTree } from "../../../dashboard/run/stories/story-tree.rule.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";

function shot(title: string | null, name: string, status: Screenshot["status"] = "unchanged"): Screenshot {
  const id = `${title}--${name}`.toLowerCase().replaceAll("/", "-");
  return {
    ...{ id, route: title === null ? "/page" : id, state: null, environment: null, viewport: 800, status },
    ...{ width: 1, height: 1, diffRatio: null, diffPixels: null, minor: false, regions: [] },
    ...{ fingerprint: null, baseline: null, stable: true, moving: [], attempts: 1, browser: null },
    ...{ images: { current: null, baseline: null, diff: null }, notes: [], review: null, reviews: [] },
    ...{ carried: null, error: null, ownDecision: null },
    ...(title !== null && { story: { id, title, name, args: {}, url: null } }),
  };
}

describe("stories on the dashboard", () => {
  const shots = [
    shot("Forms/Button", "Primary", "changed"),
    shot("Forms/Button", "Quiet"),
    shot("Forms/Text/Area", "Empty", "new"),
    shot("Dialog", "Open"),
  ];

  it("are a tree of components, with the numbers to review", () => {
    const lines = (nodes: readonly StoryNode[], depth = 0): string[] =>
      nodes.flatMap(({ label, screenshots, open, children }) => [
        `${"  ".repeat(depth)}${label} ${open}/${screenshots}`,
        ...lines(children, depth + 1),
      ]);
    const tree = storyTree(shots);
    assert.deepEqual(lines(tree), ["Dialog 0/1", "Forms 2/3", "  Button 1/2", "  Text 1/1", "    Area 1/1"]);
    assert.ok(pathsOf(tree).includes("Forms/Text/Area"));
    assert.deepEqual(storyTree([shot(null, "")]), []);
  });

  it("are a tree in the review, whose folders and components can be folded", () => {
    const sections = orderSections(queueOf(shots, "all"), "component");
    const lines = (...folded: string[]) =>
      queueRows(sections, new Set(folded)).map(row => {
        const name =
          "folder" in row
            ? `${row.folder}/ ${row.shots.length}`
            : "section" in row
              ? (row.section.path?.at(-1) ?? "")
              : (row.shot.story?.name ?? "");
        return `${"  ".repeat(row.depth)}${name}`;
      });
    assert.deepEqual(lines(), [
      ...["Dialog", "  Open", "Forms/ 3", "  Button", "    Primary", "    Quiet"],
      ...["  Text/ 1", "    Area", "      Empty"],
    ]);
    assert.deepEqual(lines("folder Forms"), ["Dialog", "  Open", "Forms/ 3"]);
    assert.deepEqual(lines("component Forms/Button", "folder Forms/Text"), [
      ...["Dialog", "  Open", "Forms/ 3", "  Button", "  Text/ 1"],
    ]);
    const empty = shots[2]?.id ?? "";
    assert.deepEqual(
      [
        ...withoutParents(
          new Set(["folder Forms", "folder Forms/Text", "component Dialog"]),
          sections,
          empty,
        ),
      ],
      ["component Dialog"],
    );
    const [plain] = orderSections(queueOf([shot(null, "")], "all"), "component");
    assert.equal(plain?.path, undefined);
  });

  it("are named, found and grouped by title", () => {
    const [first] = shots;
    assert.ok(first);
    assert.equal(pageName(first), "Forms/Button/Primary");
    assert.equal(componentOf(first), "Forms/Button");
    const found = matchingScreenshots(shots, { text: "Forms/Button", ...NO_SELECTION });
    assert.deepEqual(
      found.map(({ story }) => story?.name),
      ["Primary", "Quiet"],
    );
  });
});
