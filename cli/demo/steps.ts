import { styleText } from "node:util";

const out = process.stdout;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Text in a status's colour; plain where colours are not wanted. */
export const paint: typeof styleText = (format, text) => styleText(format, text, { stream: out });

/**
 * Prints one line for a step of work: live on a terminal, twice in a log (as it begins, as it ends).
 *
 * @param work is given a function that replaces what is said of the step, and resolves to the step's outcome
 */
export async function step<T>(
  name: string,
  work: (say: (state: string) => void) => Promise<{ said: string; value: T }>,
): Promise<T> {
  const startedAt = performance.now();
  const live = (mark: string, state: string) =>
    out.write(`\r\x1b[2K${mark} ${name.padEnd(NAME_WIDTH)} ${state}`);
  if (out.isTTY) live("·", "");
  else out.write(`· ${name} …\n`);
  try {
    const { said, value } = await work(state => {
      if (out.isTTY) live("·", state);
    });
    const state = `${said}  ${paint("dim", seconds(performance.now() - startedAt))}`;
    if (out.isTTY) live(paint("green", "✓"), `${state}\n`);
    else out.write(`✓ ${name.padEnd(NAME_WIDTH)} ${state}\n`);
    return value;
  } catch (error) {
    if (out.isTTY) live(paint("red", "✗"), "\n");
    else out.write(`✗ ${name}\n`);
    throw error;
  }
}

/** As long as the longest step's name. */
const NAME_WIDTH = 15;
