/**
 * Preloaded into a node (`--import`). Shifts its clock by CLOCK_SHIFT_MS, like a machine without time
 * synchronization.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? "0");
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
