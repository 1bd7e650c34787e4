import { type ComponentProps, type MouseEvent, useSyncExternalStore } from "react";
import { addressOf, type Place, readPlace } from "./place.ts";

/** The service's own path, with a slash at its end; its page says so in `<base>`. */
const BASE = new URL(document.baseURI).pathname;

const listeners = new Set<() => void>();
let current = readInThisProcess();

addEventListener("popstate", changed);

function readInThisProcess(): { address: string; place: Place } {
  const { pathname, search } = location;
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname.slice(1);
  return { address: `${path}${search}`, place: readPlace(path, search) };
}

function changed(): void {
  current = readInThisProcess();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where the browser is, and its address as seen from the service's. */
export function useHere(): { address: string; place: Place } {
  return useSyncExternalStore(subscribe, () => current);
}

/** Opens a place without reloading the page. @param how `replace` adds no history entry */
export function goTo(place: Place, how: "push" | "replace" = "push"): void {
  const address = addressOf(place);
  if (address === current.address) return;
  const url = BASE + address;
  if (how === "push") history.pushState(null, "", url);
  else history.replaceState(null, "", url);
  changed();
}

/** A place's whole address, to be copied. */
export function linkTo(place: Place): string {
  return new URL(addressOf(place), document.baseURI).href;
}

/** Its attributes, and those of `data-`. */
type LinkProps = Omit<ComponentProps<"a">, "href"> & { to: Place; "data-name"?: string };

/** A link to a place of the dashboard; with a modifier or another button it is the browser's. */
export function Link({ to, onClick, ...props }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(to);
    scrollTo(0, 0);
  };
  return <a href={addressOf(to)} onClick={follow} {...props} />;
}
