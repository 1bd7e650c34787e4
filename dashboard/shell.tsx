import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { SignedOut } from "../shared/contracts/teams/sign-in.ts";
import { PROJECT_OF_ALL_MONITORS } from "../shared/monitor-project.ts";
import { api } from "./api/client.ts";
import { rememberTeam } from "./api/request.ts";
import type { AppLocation } from "./app-location.ts";
import { InboxCount } from "./inbox/inbox-count.tsx";
import { NavLinks } from "./nav-links.tsx";
import { Link, navigate } from "./navigation.tsx";
import { PaletteButton } from "./palette/command-palette.tsx";
import { UnsavedElsewhere } from "./review/decisions/unsaved.tsx";
import { useMe } from "./session.tsx";
import { firstSetting } from "./settings/open-settings.rule.ts";
import { SettingsNav } from "./settings/settings-nav.tsx";
import { shellTexts } from "./texts/shell.ts";
import { messageOf, useToast } from "./ui/toast.tsx";

/** Pages below another one, whose name is highlighted in the bar. */
const PART_OF: Partial<Record<AppLocation["page"], AppLocation["page"]>> = {
  run: "runs",
  compare: "runs",
  history: "baselines",
  noise: "baselines",
  overview: "baselines",
  configuration: "baselines",
  monitor: "monitors",
  "new-monitor": "monitors",
  billing: "settings",
  "settings-start": "settings",
  incidents: "monitors",
  incident: "monitors",
  maintenance: "monitors",
  "status-pages": "monitors",
};

/** Returns the page whose name is highlighted in the bar. */
function sectionOf(location: AppLocation): AppLocation["page"] {
  const isOfMonitors = location.page === "configuration" && location.project === PROJECT_OF_ALL_MONITORS;
  return isOfMonitors ? "monitors" : (PART_OF[location.page] ?? location.page);
}

/** Renders the frame of every page except the review: navigation, team, and sign-out. */
export function Shell({ location, children }: { location: AppLocation; children: ReactNode }) {
  const me = useMe();
  const section = sectionOf(location);
  const names = shellTexts.pages;
  const links: { name: string; to: AppLocation; count?: ReactNode }[] = [
    { name: names.inbox, to: { page: "inbox" }, count: <InboxCount /> },
    { name: names.runs, to: { page: "runs", filters: {} } },
    { name: names.baselines, to: { page: "baselines" } },
    { name: names.monitors, to: { page: "monitors" } },
    { name: names.settings, to: firstSetting(me) },
  ];
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
        <NavLinks
          label={shellTexts.navigation}
          links={links.map(link => ({ ...link, isCurrent: link.to.page === section }))}
        />
        <WhoIsHere />
      </header>
      {section === "settings" && <SettingsNav location={location} />}
      <main className="page" id="main" tabIndex={-1}>
        <ReadOnly />
        <UnsavedElsewhere shownRunId={location.page === "run" ? location.id : null} />
        {children}
      </main>
    </>
  );
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
      <Link
        className="who-name"
        to={{ page: "settings", setting: "account" }}
        title={shellTexts.settings.account}
      >
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
