import { captureInPool } from "../../../shared/capture/capture-in-pool.ts";
import { CaptureError, type CaptureRequest } from "../../../shared/capture/capture-types.ts";
import { type Comparison, compareMeasurements, type Measurement } from "../../support/figures.ts";
import { runPairedRounds } from "../../support/paired-rounds.ts";
import { openLocalPool } from "../corpus/local-only.ts";
import { serveCorpus } from "../corpus/serve-corpus.ts";
import { shareWork } from "../share-work.ts";

const VIEWPORT_PX = 1280;
const WITH = { name: "with capsules", request: { capsules: "changed", keepsBodies: true } } as const;
const WITHOUT = { name: "without", request: {} } as const;

/** Compares the time of captures with and without capsules: where all pages are new, and where nothing changed. */
export async function timeCapsules(pages: readonly string[], pairs: number): Promise<Comparison[]> {
  const pool = openLocalPool();
  const server = await serveCorpus();
  const hashes = new Map<string, string>();
  const captureAll = async (request: Partial<CaptureRequest>, isNew: boolean): Promise<Measurement> => {
    const startedAt = performance.now();
    await shareWork(pages, async page => {
      const captured = await captureInPool(
        pool,
        "capsules",
        {
          url: `${server.url}/${page}`,
          viewport: VIEWPORT_PX,
          options: {},
          baselineHash: isNew ? null : (hashes.get(page) ?? null),
          ...request,
        },
        new AbortController().signal,
      );
      if (captured === null || captured instanceof CaptureError)
        throw captured ?? new Error(`${page} was not captured.`);
      if (!hashes.has(page)) hashes.set(page, captured.hash);
    });
    return { value: (performance.now() - startedAt) / 1_000, peakMb: null };
  };
  const compare = async (isNew: boolean, title: string, most: number): Promise<Comparison> => {
    const contestants = [WITH, WITHOUT].map(({ name, request }) => {
      return { name, measure: () => captureAll(request, isNew) };
    });
    const rounds = await runPairedRounds(contestants, { pairs });
    return compareMeasurements(
      { title, unit: "s", ratioIs: "of its time", bar: { is: "at most", value: most } },
      rounds.of(WITH.name),
      rounds.of(WITHOUT.name),
    );
  };
  try {
    return [
      await compare(true, "captures where all pages are new", 1.15),
      await compare(false, "captures where nothing changed", 1),
    ];
  } finally {
    server.close();
    await pool.close();
  }
}
