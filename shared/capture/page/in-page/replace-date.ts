/**
 * Makes `Date` and `Intl.DateTimeFormat` of a page use another clock, ms since 1970. It is sent to the page as text: it
 * must use nothing from outside its body.
 */
export function replaceDate(now: () => number): void {
  const NativeDate = Date;
  const PageDate = function (this: unknown, ...parts: unknown[]) {
    if (new.target === undefined) return new NativeDate(now()).toString();
    return Reflect.construct(NativeDate, parts.length === 0 ? [now()] : parts, new.target);
  };
  Object.setPrototypeOf(PageDate, NativeDate);
  Object.defineProperty(PageDate, "prototype", { value: NativeDate.prototype, writable: false });
  Object.defineProperty(PageDate, "name", { value: "Date" });
  Object.defineProperty(PageDate, "length", { value: NativeDate.length });
  Object.defineProperty(PageDate, "now", { value: () => now(), writable: true, configurable: true });
  NativeDate.prototype.constructor = PageDate;
  Reflect.set(window, "Date", PageDate);
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatToParts = function (date = now()) {
    return formatToParts.call(this, date);
  };
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format")?.get;
  if (format === undefined) return;
  Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    configurable: true,
    get() {
      const native = format.call(this);
      return (date: Date | number = now()) => native(date);
    },
  });
}
