import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { SignedOut } from "../shared/contracts/teams/sign-in.ts";
import { api } from "./api/client.ts";
import { rememberTeam } from "./api/request.ts";
import type { AppLocation } from "./app-location.ts";
import { Link, navigate } from "./navigation.tsx";
import { PaletteButton } from "./palette/command-palette.tsx";
import { useMe } from "./session.tsx";
import { shellTexts } from "./texts/shell.ts";
import { messageOf, useToast } from "./ui/toast.tsx";

/** Pages below another one, whose name is highlighted in the bar. */
const PART_OF: Partial<Record<AppLocation["page"], AppLocation["page"]>> = {
  run: "runs",
  history: "baselines",
  noise: "baselines",
  configuration: "baselines",
  monitor: "monitors",
  "new-monitor": "monitors",
};

/** Renders the frame of every page except the review: navigation, team, and sign-out. */
export function Shell({ location, children }: { location: AppLocation; children: ReactNode }) {
  const { may, isOperator } = useMe();
  const at = (name: string) =>
    location.page === name || PART_OF[location.page] === name ? "page" : undefined;
  const settingAt = (name: string) =>
    location.page === "settings" && location.setting === name ? "page" : undefined;
  const names = shellTexts.pages;
  const nav = useRef<HTMLElement>(null);
  const where = location.page === "settings" ? location.setting : location.page;
  // A narrow window shows only a part of the bar. Scrolls to the current page's name.
  useEffect(() => {
    const link = where && nav.current?.querySelector("[aria-current]");
    if (link instanceof HTMLElement) link.parentElement?.scrollTo({ left: barScrollLeft(link) });
  }, [where]);
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        {shellTexts.skipToContent}
      </button>
      <header className="top">
        <Link className="brand" to={{ page: "runs", filters: {} }} aria-label={shellTexts.brandLabel}>
          <Mark />
          {shellTexts.brand}
        </Link>
        <nav ref={nav} aria-label={shellTexts.navigation}>
          <NavLink name={names.runs} to={{ page: "runs", filters: {} }} current={at("runs")} />
          <NavLink name={names.baselines} to={{ page: "baselines" }} current={at("baselines")} />
          <NavLink name={names.monitors} to={{ page: "monitors" }} current={at("monitors")} />
          <NavLink name={names.team} to={{ page: "settings", setting: "team" }} current={settingAt("team")} />
          {may("admin") && (
            <>
              <NavLink
                name={names.signIn}
                to={{ page: "settings", setting: "sign-in" }}
                current={settingAt("sign-in")}
              />
              <NavLink
                name={names.keys}
                to={{ page: "settings", setting: "keys" }}
                current={settingAt("keys")}
              />
              <NavLink
                name={names.webhooks}
                to={{ page: "settings", setting: "webhooks" }}
                current={settingAt("webhooks")}
              />
            </>
          )}
          <NavLink
            name={names.usage}
            to={{ page: "settings", setting: "usage" }}
            current={settingAt("usage") ?? at("billing")}
          />
          {isOperator && (
            <>
              <NavLink
                name={names.codeHost}
                to={{ page: "settings", setting: "code-host" }}
                current={settingAt("code-host")}
              />
              <NavLink
                name={names.nodes}
                to={{ page: "settings", setting: "nodes" }}
                current={settingAt("nodes")}
              />
            </>
          )}
        </nav>
        <WhoIsHere />
      </header>
      <main className="page" id="main" tabIndex={-1}>
        <ReadOnly />
        {children}
      </main>
    </>
  );
}

interface NavLinkProps {
  name: string;
  to: AppLocation;
  current: "page" | undefined;
}

function NavLink({ name, to, current }: NavLinkProps) {
  return (
    <Link to={to} aria-current={current} data-name={name}>
      {name}
    </Link>
  );
}

/** Returns the scroll position that centers a link in the bar, px. */
function barScrollLeft({ parentElement, offsetLeft, offsetWidth }: HTMLElement): number {
  const bar = parentElement ?? document.body;
  return offsetLeft - bar.offsetLeft - (bar.clientWidth - offsetWidth) / 2;
}

/** Explains why a member can do less here than their role allows. */
export function ReadOnly() {
  const { team } = useMe().session;
  return team?.readOnlyBecause ? <p className="banner">{team.readOnlyBecause}</p> : null;
}

function WhoIsHere() {
  const { session } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const signOut = async () => {
    let ended: SignedOut | null;
    try {
      ended = await api.signOut();
    } catch (error) {
      showToast({ text: shellTexts.signOutFailed(messageOf(error)), isFailure: true });
      return;
    }
    rememberTeam(null);
    if (ended) {
      // The provider leads back to the sign-in page.
      window.location.assign(ended.signOutUrl);
      return;
    }
    navigate({ page: "sign-in", next: "" });
    client.clear();
  };
  const switchTo = (id: string) => {
    rememberTeam(id);
    navigate({ page: "runs", filters: {} });
    void client.resetQueries();
  };
  return (
    <div className="who">
      <PaletteButton />
      <a className="docs" href="docs">
        {shellTexts.docs}
      </a>
      {session.teams.length > 1 ? (
        <select
          aria-label={shellTexts.team}
          value={session.team?.id}
          onChange={event => switchTo(event.currentTarget.value)}
        >
          {session.teams.map(team => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </select>
      ) : (
        <span className="quiet">{session.team?.name}</span>
      )}
      <Link className="who-name" to={{ page: "settings", setting: "account" }} title={shellTexts.account}>
        {session.actor.name}
      </Link>
      <button type="button" onClick={signOut}>
        {shellTexts.signOut}
      </button>
    </div>
  );
}

/** Draws the logo: two screenshots, one over the other. */
export function Mark() {
  return (
    <svg className="mark-of-ours" width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <rect x="2" y="6" width="17" height="20" rx="3" />
      <rect x="13" y="6" width="17" height="20" rx="3" />
    </svg>
  );
}
