/**
 * Serves the corpus of the real-pages benchmarks until it is stopped, and prints the URL of every page.
 *
 * node bench/programs/serve-real-pages.ts
 */
import { SITES } from "../real-pages/corpus/corpus.ts";
import { serveCorpus } from "../real-pages/corpus/serve-corpus.ts";

const { url } = await serveCorpus();
for (const { name, pages } of SITES) for (const page of pages) console.log(`${url}/${name}/${page}`);
