import { styleText } from "node:util";

const out = process.stdout;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Returns a text in a status's color, or plain if colors are off. */
export const paint: typeof styleText = (format, text) => styleText(format, text, { stream: out });

/**
 * Prints one line for a step: live on a terminal, or two lines in a log, at the start and at the end.
 *
 * @param work receives a function that replaces the step's text, and resolves to the outcome
 */
export async function step<T>(
  name: string,
  work: (show: (state: string) => void) => Promise<{ outcome: string; value: T }>,
): Promise<T> {
  const startedAt = performance.now();
  const live = (mark: string, state: string) =>
    out.write(`\r\x1b[2K${mark} ${name.padEnd(NAME_WIDTH)} ${state}`);
  if (out.isTTY) live("·", "");
  else out.write(`· ${name} …\n`);
  try {
    const { outcome, value } = await work(state => {
      if (out.isTTY) live("·", state);
    });
    const state = `${outcome}  ${paint("dim", seconds(performance.now() - startedAt))}`;
    if (out.isTTY) live(paint("green", "✓"), `${state}\n`);
    else out.write(`✓ ${name.padEnd(NAME_WIDTH)} ${state}\n`);
    return value;
  } catch (error) {
    if (out.isTTY) live(paint("red", "✗"), "\n");
    else out.write(`✗ ${name}\n`);
    throw error;
  }
}

/** Length of the longest step name. */
const NAME_WIDTH = 15;
