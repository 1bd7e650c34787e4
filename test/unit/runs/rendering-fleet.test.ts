import assert from "node:assert/strict";
import { RenderingFleet } from "../../../services/runs/capture/rendering-fleet.ts";
import type { Renderer } from "../../../shared/broker/renderers.ts";
import type { RenderingFingerprint } from "../../../shared/contracts/capture/rendering.ts";
import { findMixedRenderers } from "../../../shared/mixed-renderers.ts";

const usual: RenderingFingerprint = {
  id: "a".repeat(16),
  browser: "chromium 153",
  fonts: "1".repeat(16),
  fontCount: 25,
  flags: "2".repeat(16),
  pixels: "3".repeat(16),
};
const newer = { ...usual, id: "b".repeat(16), browser: "chromium 154", pixels: "4".repeat(16) };
const unknown = "f".repeat(16);
const GRACE_MS = 20_000;

const renderer = (
  nodeId: string,
  rendering: RenderingFingerprint | null,
  capacity = 1,
  region: string | null = null,
): Renderer => ({ nodeId, capacity, rendering, region });

const fleetOf = (...renderers: Renderer[]) => {
  const warnings: string[] = [];
  const state = { renderers, now: 0 };
  const fleet = new RenderingFleet({
    renderers: () => state.renderers,
    graceMs: GRACE_MS,
    regionGraceMs: 2 * GRACE_MS,
    warn: message => void warnings.push(message),
    now: () => state.now,
  });
  const missing = (...ids: string[]) =>
    fleet.missing(ids.map(rendering => ({ region: null, rendering }))).map(({ rendering }) => rendering);
  return { fleet, state, warnings, missing };
};

describe("RenderingFleet", () => {
  it("chooses the rendering of most baselines among present renderers", () => {
    const { fleet } = fleetOf(renderer("one", usual, 1), renderer("two", newer, 8));
    assert.equal(fleet.choose(new Map([[usual.id, 2]])), usual.id);
    assert.equal(
      fleet.choose(
        new Map([
          [usual.id, 2],
          [newer.id, 3],
        ]),
      ),
      newer.id,
    );
  });

  it("chooses the rendering with the largest capacity for a run without baselines, consistently", () => {
    const { fleet, state } = fleetOf(
      renderer("one", usual),
      renderer("two", newer, 2),
      renderer("three", usual),
    );
    assert.equal(fleet.choose(new Map([[unknown, 5]])), usual.id, "of two that render as much, the first id");
    state.renderers = [renderer("two", newer, 2), renderer("one", usual)];
    assert.equal(fleet.choose(new Map()), newer.id);
    state.renderers = [renderer("one", null)];
    assert.equal(fleet.choose(new Map()), null);
  });

  it("reports a fingerprint as missing after the grace period, if other renderers exist", () => {
    const { missing, state } = fleetOf(renderer("two", newer));
    assert.deepEqual(missing(usual.id, newer.id), []);
    state.now = GRACE_MS - 1;
    assert.deepEqual(missing(usual.id, newer.id), []);
    state.now = GRACE_MS;
    assert.deepEqual(missing(usual.id, newer.id), [usual.id]);
    state.renderers = [];
    assert.deepEqual(missing(usual.id, newer.id), []);
  });

  it("restarts the grace period when a renderer comes back", () => {
    const { missing, state } = fleetOf(renderer("two", newer));
    missing(usual.id);
    state.now = GRACE_MS - 1;
    state.renderers = [renderer("one", usual), renderer("two", newer)];
    assert.deepEqual(missing(usual.id), []);
    state.renderers = [renderer("two", newer)];
    state.now = GRACE_MS;
    assert.deepEqual(missing(usual.id), []);
    state.now = 2 * GRACE_MS;
    assert.deepEqual(missing(usual.id), [usual.id]);
  });

  it("chooses and misses renderings within a region", () => {
    const { fleet, state } = fleetOf(
      renderer("eu", usual, 1, "eu-west"),
      renderer("us", newer, 8, "us-east"),
      renderer("anywhere", newer, 2),
    );
    assert.equal(fleet.choose(new Map([[newer.id, 5]]), "eu-west"), usual.id);
    assert.equal(fleet.choose(new Map(), "ap-south"), null);
    assert.deepEqual([fleet.capacity, fleet.capacityIn("us-east"), fleet.capacityIn("ap-south")], [11, 8, 0]);
    assert.deepEqual(fleet.regions(), ["eu-west", "us-east"]);
    const wanted = [
      { region: "eu-west", rendering: newer.id },
      { region: "us-east", rendering: newer.id },
      { region: "ap-south", rendering: newer.id },
    ];
    assert.deepEqual(fleet.missing(wanted), []);
    state.now = GRACE_MS;
    assert.deepEqual(fleet.missing(wanted), [wanted[0]], "a region without renderers has no other choice");
  });

  it("reports a region as absent once it was without a renderer for longer than a restart takes", () => {
    const { fleet, state } = fleetOf(renderer("eu", usual, 1, "eu-west"));
    assert.deepEqual([...fleet.absent(["eu-west", "us-east"])], []);
    state.now = 2 * GRACE_MS - 1;
    assert.deepEqual([...fleet.absent(["eu-west", "us-east"])], []);
    state.now = 2 * GRACE_MS;
    assert.deepEqual([...fleet.absent(["eu-west", "us-east"])], ["us-east"]);
    state.renderers = [renderer("us", usual, 1, "us-east")];
    assert.deepEqual([...fleet.absent(["us-east"])], []);
  });

  it("warns once per mix of renderers", () => {
    const { fleet, state, warnings } = fleetOf(renderer("one", usual), renderer("two", newer));
    fleet.warnOfMix();
    fleet.warnOfMix();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /differ in: browser build, pixels of the reference page\..*one.*two/);
    state.renderers = [renderer("one", usual)];
    fleet.warnOfMix();
    state.renderers = [renderer("one", usual), renderer("two", newer)];
    fleet.warnOfMix();
    assert.equal(warnings.length, 2);
  });
});

describe("findMixedRenderers", () => {
  it("finds nothing among renderers that draw alike or haven't reported", () => {
    assert.equal(
      findMixedRenderers([renderer("one", usual), renderer("two", usual), renderer("three", null)]),
      null,
    );
  });

  it("names the differences, and groups nodes that draw alike", () => {
    const fonts = { ...usual, id: "c".repeat(16), fonts: "9".repeat(16) };
    const mixed = findMixedRenderers([
      renderer("one", fonts),
      renderer("two", usual),
      renderer("three", usual),
    ]);
    assert.deepEqual(mixed?.differs, ["fonts"]);
    assert.deepEqual(mixed?.groups, [
      { rendering: usual.id, nodes: ["three", "two"] },
      { rendering: fonts.id, nodes: ["one"] },
    ]);
  });
});
