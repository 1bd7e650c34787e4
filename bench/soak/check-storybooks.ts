import { randomUUID } from "node:crypto";
import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readArchive } from "../../cli/cloud/read-archive.ts";
import { openCounted } from "../../cli/cloud/send-archive.ts";
import { builtStorybook } from "../../test/support/storybooks/built-storybook.ts";
import { retryRequest } from "./retry-request.ts";
import { ReviewedProject } from "./reviewed-project.ts";
import { colorOf } from "./site.ts";
import { clientOf, randomOf, type SoakContext } from "./soak-context.ts";

const PROJECT = "storybook";
/** Stories that are captured once each, at the same viewport and without modes. */
const STORIES = ["forms-button--primary", "forms-button--quiet", "overlays-dialog--open"];

/**
 * Uploads archives of a real Storybook whose stories have another background each time, checks them, and approves or
 * rejects what the runs find.
 * @param folder where to write the Storybook
 */
export async function checkStorybooks(context: SoakContext, folder: string): Promise<void> {
  const project = new ReviewedProject(context, randomOf(context, PROJECT));
  const writeVariant = await copyStorybook(folder);
  while (!context.signal.aborted) {
    const variant = project.drawVariant();
    const variants = new Map(STORIES.map(id => [id, variant]));
    await writeVariant(variant);
    const archive = await sendArchive(context, folder);
    const body = { archive, project: PROJECT, storybook: true as const, threshold: 0 };
    const key = randomUUID();
    const { id } = await retryRequest(attempt => clientOf(context, attempt).submitRun(body, key));
    project.accept(id, variants);
    context.ledger.note("Storybooks checked");
    await project.review(id, variants);
  }
}

const storyIndex = z.looseObject({ entries: z.record(z.string(), z.unknown()) });

/** Copies a build with some of its stories. @returns what gives their pages the background of a variant */
async function copyStorybook(folder: string): Promise<(variant: number) => Promise<void>> {
  const build = join(await builtStorybook("react"), "storybook-static");
  await cp(build, folder, { recursive: true });
  const indexFile = join(folder, "index.json");
  const index = storyIndex.parse(JSON.parse(await readFile(indexFile, "utf8")));
  const missing = STORIES.filter(id => !(id in index.entries));
  if (missing.length > 0) throw new Error(`The Storybook has no ${missing.join(", ")}.`);
  const entries = Object.fromEntries(STORIES.map(id => [id, index.entries[id]]));
  await writeFile(indexFile, JSON.stringify({ ...index, entries }));
  const html = await readFile(join(build, "iframe.html"), "utf8");
  return async variant => {
    const style = `<style>body, #storybook-root { background: ${colorOf(variant)} !important }</style>`;
    await writeFile(join(folder, "iframe.html"), html.replace("</head>", `${style}</head>`));
  };
}

/** Uploads the folder, unless the project has the same files. @returns the archive's id */
async function sendArchive(context: SoakContext, folder: string): Promise<string> {
  const archive = await readArchive(folder, folder);
  try {
    const known = await retryRequest(attempt => clientOf(context, attempt).findArchive(PROJECT, archive.id));
    if (known) return known.id;
    const path = await archive.pack();
    const { size } = await stat(path);
    const open = () => openCounted(path, () => {});
    const sent = await retryRequest(attempt =>
      clientOf(context, attempt).uploadArchive(PROJECT, { bytes: size, open }),
    );
    context.ledger.note("archives uploaded");
    return sent.id;
  } finally {
    await archive.remove();
  }
}
