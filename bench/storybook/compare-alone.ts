import { randomInt } from "node:crypto";
import { readIndex } from "../../cli/storybook/read-index.ts";
import { serveFolder } from "../../cli/storybook/static-server.ts";
import { AloneCapture } from "../../test/support/storybooks/alone-capture.ts";

/** The comparison of stories in shared pages with the same stories alone. */
interface ComparedAlone {
  compared: number;
  /** Names of the stories whose images differ. */
  different: string[];
}

/**
 * Captures stories in random order in pages that they share, and each alone in a fresh browser context, and compares
 * the bytes of the images.
 * @param most number of stories, which are chosen at random
 */
export async function countUnlikeAlone(build: string, most: number): Promise<ComparedAlone> {
  const ids = shuffled(await storiesOf(build)).slice(0, most);
  const capture = await AloneCapture.start(build);
  try {
    const alone = await capture.hashes(ids);
    const together = await capture.hashesTogether(shuffled(ids), alone);
    const different = [...alone].filter(([name, hash]) => together.get(name) !== hash).map(([name]) => name);
    return { compared: alone.size, different };
  } finally {
    await capture.stop();
  }
}

async function storiesOf(build: string): Promise<string[]> {
  const server = await serveFolder(build);
  try {
    return (await readIndex(server.url, new AbortController().signal)).map(({ id }) => id);
  } finally {
    await server.close();
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  const left = [...values];
  return values.flatMap(() => left.splice(randomInt(left.length), 1));
}
