import { AsyncLocalStorage } from "node:async_hooks";
import type { Page } from "playwright";

/** Runs work inside a call of Playwright's API. */
type InsideCall = <T>(work: () => T) => T;

/**
 * Returns how to run work as if it were inside a call. Playwright takes a stack trace of 50 frames for each call of its
 * API, but none for calls inside another one. These traces are a tenth of the processor time of a story. Playwright
 * has no public way to do without them. A version without this internal method takes the traces.
 */
export async function openCall(page: Page): Promise<InsideCall> {
  const wrapApiCall: unknown = Reflect.get(page, "_wrapApiCall");
  if (typeof wrapApiCall !== "function") return work => work();
  const run: unknown = await wrapApiCall.call(page, async () => AsyncLocalStorage.snapshot(), {
    internal: true,
  });
  return typeof run === "function" ? work => run(work) : work => work();
}

/**
 * Makes a method run inside a call from now on. Its errors no longer name the line that called it.
 * @param name of the method in messages of errors, as Playwright names it
 */
export function nestCalls<T extends object>(
  object: T,
  method: keyof T & string,
  { name, inside }: { name: string; inside: InsideCall },
): void {
  const called: unknown = object[method];
  if (typeof called !== "function") return;
  // Playwright adds the name only to errors of the outer call.
  const named = (error: unknown) => {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  };
  const apply = (_target: object, self: unknown, values: unknown[]) =>
    inside(() => Reflect.apply(called, self, values)).catch(named);
  Reflect.set(object, method, new Proxy(called, { apply }));
}
