/**
 * Measures how often the explanation of a seeded change names the right element, property and file, on pages of
 * third-party npm packages.
 *
 * node bench/benchmarks/explain.ts [--quick] [--changes n] [--sites a,b] [--seed n] [--resume folder]
 *
 * `--resume` keeps each change in a folder, and continues from there.
 */

import { describeCorpus } from "../real-pages/corpus/corpus.ts";
import { SEEDED_KINDS } from "../real-pages/explain/draw-change.ts";
import { type Judged, judgeExplanations } from "../real-pages/explain/judge-explanations.ts";
import { readRealPagesOptions } from "../real-pages/options.ts";
import { countOf } from "../support/figures.ts";
import { publish } from "../support/publish.ts";

const CHANGES = 500;

const { sites, seed, quick, resume, changes: wanted, hasChanges } = readRealPagesOptions();
const changes = hasChanges || quick ? wanted : CHANGES;
const pages = sites.flatMap(site => site.pages.map(page => `${site.name}/${page}`));
const judged = await judgeExplanations(pages, { changes, seed, folder: resume });
const wrong = judged.filter(({ isElement, isFile }) => !isElement || !isFile);
const share = (is: (one: Judged) => boolean) => judged.filter(is).length;
await publish({
  name: "explain",
  title: "Explanations of seeded changes",
  how: `${describeCorpus(sites)} Each change edits one served file: a stylesheet, the document or a script. The kinds alternate: ${SEEDED_KINDS.join(", ")}. Changes that no pixel shows are skipped.`,
  quick,
  withBrowser: true,
  counts: [
    countOf(
      { title: "right element and property", bar: { is: "at least", value: 0.95 } },
      share(({ isElement }) => isElement),
      judged.length,
    ),
    countOf(
      { title: "right file", bar: { is: "at least", value: 0.9 } },
      share(({ isFile }) => isFile),
      judged.length,
    ),
    countOf(
      { title: "named first" },
      share(({ isFirst }) => isFirst),
      judged.length,
    ),
  ],
  notes: wrong.slice(0, 20).map(({ page, kind, text }) => `${kind} on ${page}: ${text}`),
});
