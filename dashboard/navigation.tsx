import { type ComponentProps, type MouseEvent, useSyncExternalStore } from "react";
import { type AppLocation, parseAddress, urlOf } from "./app-location.ts";

/** Base path of the service with a trailing slash, from `<base>`. */
const BASE = new URL(document.baseURI).pathname;

const listeners = new Set<() => void>();
let current = readInThisProcess();

addEventListener("popstate", changed);

function readInThisProcess(): { address: string; location: AppLocation } {
  const { pathname, search, hash } = location;
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname.slice(1);
  const address = `${path}${search}${hash}`;
  return { address, location: parseAddress(address) };
}

function changed(): void {
  current = readInThisProcess();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current location, and its URL relative to the service. */
export function useLocation(): { address: string; location: AppLocation } {
  return useSyncExternalStore(subscribe, () => current);
}

/** Opens a location without a reload. @param how `replace` adds no history entry */
export function navigate(location: AppLocation, how: "push" | "replace" = "push"): void {
  const address = urlOf(location);
  if (address === current.address) return;
  const url = BASE + address;
  if (how === "push") history.pushState({ from: current.address }, "", url);
  else history.replaceState(history.state, "", url);
  changed();
}

/**
 * Leaves a page for the one that opened it, so that the browser's Back doesn't return into it. Opens it in this page's
 * place if another page did, or none, as after a link.
 * @param isOpener returns whether that page is a location
 */
export function leave(to: AppLocation, isOpener: (location: AppLocation) => boolean): void {
  const from = openerOf(history.state);
  if (from !== null && isOpener(parseAddress(from))) history.back();
  else navigate(to, "replace");
}

/** Returns the address of the page that opened this one; null without one. */
function openerOf(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  return typeof state.from === "string" ? state.from : null;
}

/** Returns the full URL of a location, for copying. */
export function absoluteUrl(location: AppLocation): string {
  return new URL(urlOf(location), document.baseURI).href;
}

/** Attributes of the link, including those of `data-`. */
type LinkProps = Omit<ComponentProps<"a">, "href"> & { to: AppLocation; "data-name"?: string };

/**
 * Renders a link within the dashboard. With a modifier key or another button, the browser handles the click.
 */
export function Link({ to, onClick, ...props }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
    scrollTo(0, 0);
  };
  return <a href={urlOf(to)} onClick={follow} {...props} />;
}
