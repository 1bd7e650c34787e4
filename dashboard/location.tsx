import { type ComponentProps, type MouseEvent, useSyncExternalStore } from "react";
import { addressOf, type Place, readPlace } from "./place.ts";

/** Base path of the service with a trailing slash, from `<base>`. */
const BASE = new URL(document.baseURI).pathname;

const listeners = new Set<() => void>();
let current = readHere();

addEventListener("popstate", changed);

function readHere(): { address: string; place: Place } {
  const { pathname, search } = location;
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname.slice(1);
  return { address: `${path}${search}`, place: readPlace(path, search) };
}

function changed(): void {
  current = readHere();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current location, and its URL relative to the service. */
export function useHere(): { address: string; place: Place } {
  return useSyncExternalStore(subscribe, () => current);
}

/** Opens a location without a reload. @param how `replace` adds no history entry */
export function goTo(place: Place, how: "push" | "replace" = "push"): void {
  const address = addressOf(place);
  if (address === current.address) return;
  const url = BASE + address;
  if (how === "push") history.pushState(null, "", url);
  else history.replaceState(null, "", url);
  changed();
}

/** Returns the full URL of a location, for copying. */
export function linkTo(place: Place): string {
  return new URL(addressOf(place), document.baseURI).href;
}

/** Attributes of the link, including those of `data-`. */
type LinkProps = Omit<ComponentProps<"a">, "href"> & { to: Place; "data-name"?: string };

/**
 * Renders a link within the dashboard. With a modifier key or another button, the browser handles the click.
 */
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
