import { fork } from "node:child_process";
import { once } from "node:events";

const SPINNERS = 2;

/** Runs work while two processes keep two cores busy, and stops them. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const spinners = Array.from({ length: SPINNERS }, () => fork(new URL("./spin.ts", import.meta.url)));
  try {
    await Promise.all(spinners.map(spinner => once(spinner, "message")));
    return await work();
  } finally {
    await Promise.all(
      spinners.map(async spinner => {
        const ended = spinner.exitCode ?? once(spinner, "exit");
        spinner.kill("SIGKILL");
        await ended;
      }),
    );
  }
}
