import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { Child } from "./child.ts";

/** The output of a block of commands, and its exit. */
export interface Ended {
  code: number;
  out: string;
  err: string;
}

/**
 * Returns the blocks of shell commands of a tutorial, in order. @param name name of the file, such as
 * `service`
 */
export function shellBlocks(name: string): string[] {
  const text = readFileSync(new URL(`../../../docs/tutorials/${name}.md`, import.meta.url), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/**
 * Runs the blocks of a tutorial one after the other, like a reader who copies values from one block's output
 * to the next.
 */
export class Reader {
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #replaced: Record<string, string>;

  /** @param replaced replacements for this machine, such as ports */
  constructor(cwd: string, env: NodeJS.ProcessEnv, replaced: Record<string, string> = {}) {
    this.#cwd = cwd;
    this.#env = env;
    this.#replaced = replaced;
  }

  /** Runs a block. Variables that it leaves to the reader (`export RUN=...`) must be among `given`. */
  run(block: string, given: Record<string, string> = {}): Promise<Ended> {
    for (const [, name = ""] of block.matchAll(/^export (\w+)=\.\.\./gm))
      assert.ok(given[name], `The reader isn't given ${name}.`);
    const command = this.#onThisMachine(block.replace(/^export \w+=\.\.\..*$/gm, ""));
    const env = { ...this.#env, ...given };
    return new Promise(resolve => {
      execFile("bash", ["-e", "-o", "pipefail", "-c", command], { cwd: this.#cwd, env }, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
      );
    });
  }

  /** Starts a block that runs until it is stopped, such as a server. */
  start(block: string): Child {
    const options = { cwd: this.#cwd, env: this.#env, detached: true };
    return new Child("bash", ["-c", this.#onThisMachine(block)], options);
  }

  #onThisMachine(block: string): string {
    return Object.entries(this.#replaced).reduce((text, [from, to]) => text.replaceAll(from, to), block);
  }
}

/** Returns the JSON responses of a block of curl commands. None may be a problem. */
export function answersOf({
  code,
  out,
  err,
}: Ended): { id?: string; status?: string; deduplicated?: boolean }[] {
  assert.equal(code, 0, out + err);
  const answers = out
    .split(/(?<=\})\s*(?=\{)/)
    .filter(text => text.trim() !== "")
    .map(text => JSON.parse(text));
  for (const answer of answers) assert.equal(answer.code, undefined, JSON.stringify(answer));
  return answers;
}
