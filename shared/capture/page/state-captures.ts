import type { CaptureStep } from "../../contracts/capture/timings.ts";
import { traced } from "../../tracing/work-scope.ts";
import type { Lease } from "../browser/lease.ts";
import type { PooledBrowser } from "../browser/pooled-browser.ts";
import { type MadeCapsule, makeCapsule } from "../capsule/make-capsule.ts";
import type { CapsuleChoice, Capture, CaptureError, VisitState } from "../capture-types.ts";
import type { CapturedImage } from "../screenshot/capture-image.ts";
import { changedRegions } from "../screenshot/changed-regions.ts";
import type { SecretValues } from "../sessions/secret-values.ts";
import { countsAlone } from "../story/preview-outcome.rule.ts";
import { boxesBetween, nameMoving, resizedBoxes } from "./name-moving.ts";

/** Names of spans that differ from the step's. */
const SPAN_NAMES: Partial<Record<CaptureStep, string>> = {
  load: "browser navigate",
  compareTakes: "compare attempts",
  nameMoving: "browser find moving",
};

/** The load in which an image was taken. */
interface StateLoad extends Pick<Capture, "diagnostics" | "steps"> {
  /** Its number in the visit, from 1. */
  load: number;
  timings: Timings;
}

/** The images of one state, and its capture or error once it is done. */
export class StateCaptures {
  readonly state: string | null;
  outcome: Capture | CaptureError | null = null;
  /** One for each load. */
  #images: CapturedImage[] = [];
  #lastLoad = 0;
  /** Of an earlier part of the visit. */
  #kept: { browser: PooledBrowser; images: CapturedImage[] } | null = null;
  /** Of the last image. Null if it has none. */
  #capsule: MadeCapsule | null = null;
  /** Bodies of an earlier part of the visit. The lease of the next part may not have them. */
  #unstored: Buffer[] = [];
  /** Of the last image. */
  #load: Pick<Capture, "diagnostics" | "steps"> = { diagnostics: null, steps: [] };
  readonly #baselineHash: string | null;
  readonly #capsules: CapsuleChoice | undefined;
  readonly #baselineCapsule: (() => Promise<Buffer>) | undefined;
  readonly #secrets: SecretValues;
  readonly #timings = new Timings();

  constructor({ state, baselineHash, capsules, baselineCapsule }: VisitState, secrets: SecretValues) {
    this.state = state;
    this.#secrets = secrets;
    this.#baselineHash = baselineHash;
    this.#capsules = capsules;
    this.#baselineCapsule = baselineCapsule;
  }

  /** Forgets the images of earlier attempts, unless the state is done. @param browser of the next attempt */
  restart(browser: PooledBrowser): void {
    if (this.outcome !== null) return;
    this.#images = this.#kept?.browser === browser ? [...this.#kept.images] : [];
  }

  /**
   * Keeps the images of a preview for the story's own page, unless the state is done. It keeps them for this browser
   * only: another one may draw differently.
   */
  keepFrom({ browser, responses }: Lease): void {
    if (countsAlone(this.outcome)) return;
    this.outcome = null;
    this.#kept = { browser, images: [...this.#images] };
    if (this.#capsule !== null) this.#unstored.push(...responses.takeBodies());
  }

  hasImage(): boolean {
    return this.#images.length > 0;
  }

  /** Returns whether the state was captured in this load. */
  isCapturedIn(load: number): boolean {
    return this.hasImage() && this.#lastLoad === load;
  }

  /** Adds an image. The state is done when it equals the baseline or the previous image. */
  async add(
    lease: Lease,
    image: CapturedImage,
    { load, timings, diagnostics, steps }: StateLoad,
  ): Promise<void> {
    const isRepeated = image.hash === this.#images.at(-1)?.hash;
    const isStable = image.hash === this.#baselineHash || isRepeated;
    // Equal pixels need no other explanation.
    if (!isRepeated) await timings.of("capsule", () => this.#explain(lease, image, diagnostics));
    this.#images.push(image);
    this.#lastLoad = load;
    this.#load = { diagnostics, steps };
    this.#timings.add(timings.take());
    if (isStable) await this.finish(lease, []);
  }

  async #explain(lease: Lease, image: CapturedImage, diagnostics: Capture["diagnostics"]): Promise<void> {
    const isWanted = this.#capsules === "all" || image.hash !== this.#baselineHash;
    if (this.#capsules === undefined || !isWanted) this.#capsule = null;
    else
      this.#capsule = await makeCapsule(lease, {
        ...{ image, diagnostics, secrets: this.#secrets },
        baseline: this.#baselineCapsule,
      });
  }

  /** @param knownMoving what kept the state from being stable; null when comparing the images has to find it */
  async finish(lease: Lease, knownMoving: string[] | null): Promise<void> {
    const images = this.#images;
    const last = images.at(-1);
    if (last === undefined) throw new Error("No screenshot was taken.");
    const timings = this.#timings;
    const boxes = await timings.of("compareTakes", () => boxesBetween(images));
    const moving =
      knownMoving ?? (await timings.of("nameMoving", () => nameMoving(lease.page, images, boxes)));
    const missing = lease.network.missing.names(url => lease.proxy.refusal(url));
    const { png, hash, width, height, cutFromHeight, selectorRegions } = last;
    const requested = lease.network.requested?.all();
    this.outcome = {
      png,
      hash,
      width,
      height,
      cutFromHeight,
      selectorRegions,
      ...(this.#capsule && {
        capsule: this.#capsule.packed,
        bodies: {
          kept: this.#capsule.bodies,
          unstored: [...this.#unstored, ...lease.responses.takeBodies()],
        },
      }),
      stable: moving.length === 0,
      attempts: images.length,
      moving: moving.map(name => this.#secrets.mask(name)),
      movingRegions: changedRegions([...boxes, ...resizedBoxes(images)]),
      missing: missing.map(name => this.#secrets.mask(name)),
      ...this.#load,
      browser: lease.browser.version,
      ...(requested && { requested }),
      timings: { ...timings.ms, ...responseTime(lease) },
    };
  }
}

/** Returns the time to the first byte of the document, without redirects. Nothing if the browser didn't measure it. */
function responseTime({ network: { response } }: Lease): { response?: number } {
  const ms = response?.request().timing().responseStart ?? -1;
  return ms < 0 ? {} : { response: Math.round(ms) };
}

/** Measures time by step, and traces each step. A step that runs again adds to its time. */
export class Timings {
  ms: Record<string, number> = {};

  async of<T>(step: CaptureStep, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await traced(SPAN_NAMES[step] ?? `browser ${step}`, work);
    } finally {
      this.add({ [step]: performance.now() - start });
    }
  }

  add(timings: Record<string, number>): void {
    for (const [step, ms] of Object.entries(timings)) this.ms[step] = (this.ms[step] ?? 0) + ms;
  }

  /** Returns the times so far, and starts again. */
  take(): Record<string, number> {
    const taken = this.ms;
    this.ms = {};
    return taken;
  }
}
