import { type ReactNode, useEffect, useRef } from "react";
import type { AppLocation } from "./app-location.ts";
import { Link } from "./navigation.tsx";

interface NavLinksProps {
  label: string;
  links: { name: string; to: AppLocation; isCurrent: boolean; count?: ReactNode }[];
  className?: string;
}

/** Renders a bar of links. A narrow window shows only a part of it, and scrolls to the current page's name. */
export function NavLinks({ label, links, className }: NavLinksProps) {
  const nav = useRef<HTMLElement>(null);
  const current = links.find(({ isCurrent }) => isCurrent)?.name;
  useEffect(() => {
    const bar = nav.current;
    if (!bar || current === undefined) return;
    const scroll = () => {
      const link = bar.querySelector("[aria-current]");
      if (link instanceof HTMLElement) bar.scrollTo({ left: barScrollLeft(bar, link) });
    };
    // A count or a font that loads later moves the links.
    const observer = new ResizeObserver(scroll);
    for (const link of bar.children) observer.observe(link);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={`nav-links ${className ?? ""}`.trim()}
      onScroll={({ currentTarget }) =>
        currentTarget.toggleAttribute("data-scrolled", currentTarget.scrollLeft > 0)
      }
    >
      {links.map(({ name, to, isCurrent, count }) => (
        <Link key={name} to={to} aria-current={isCurrent ? "page" : undefined} data-name={name}>
          {name}
          {count}
        </Link>
      ))}
    </nav>
  );
}

/** Returns the scroll position that centers a link in the bar, px. */
function barScrollLeft(bar: HTMLElement, { offsetLeft, offsetWidth }: HTMLElement): number {
  return offsetLeft - bar.offsetLeft - (bar.clientWidth - offsetWidth) / 2;
}
