/**
 * Makes the causes of errors enumerable before mocha reports them. Otherwise, processes of parallel files send errors
 * without their causes, and `fetch failed` doesn't say why.
 * @param runner the prototype of mocha's runner, which calls `fail` with the error of each failed test and hook
 */
export function keepCauses(runner: object): void {
  const fail: unknown = Reflect.get(runner, "fail");
  if (typeof fail !== "function") throw new Error("Mocha's runner has no method `fail`.");
  Reflect.set(runner, "fail", function (this: unknown, test: unknown, error: unknown, ...more: unknown[]) {
    showCauses(error);
    fail.call(this, test, error, ...more);
  });
}

function showCauses(error: unknown): void {
  for (let one = error; one instanceof Error && one.cause instanceof Error; one = one.cause)
    Object.defineProperty(one, "cause", { enumerable: true });
}
