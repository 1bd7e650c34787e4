import { useEffect, useRef } from "react";
import type { AppLocation } from "./app-location.ts";
import { Link } from "./navigation.tsx";

interface NavLinksProps {
  label: string;
  links: { name: string; to: AppLocation; isCurrent: boolean }[];
  className?: string;
}

/** Renders a bar of links. A narrow window shows only a part of it, and scrolls to the current page's name. */
export function NavLinks({ label, links, className }: NavLinksProps) {
  const nav = useRef<HTMLElement>(null);
  const current = links.find(({ isCurrent }) => isCurrent)?.name;
  useEffect(() => {
    const link = current !== undefined && nav.current?.querySelector("[aria-current]");
    if (link instanceof HTMLElement) link.parentElement?.scrollTo({ left: barScrollLeft(link) });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className={`nav-links ${className ?? ""}`.trim()}>
      {links.map(({ name, to, isCurrent }) => (
        <Link key={name} to={to} aria-current={isCurrent ? "page" : undefined} data-name={name}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Returns the scroll position that centers a link in the bar, px. */
function barScrollLeft({ parentElement, offsetLeft, offsetWidth }: HTMLElement): number {
  const bar = parentElement ?? document.body;
  return offsetLeft - bar.offsetLeft - (bar.clientWidth - offsetWidth) / 2;
}
