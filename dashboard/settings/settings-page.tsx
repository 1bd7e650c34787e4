import type { ReactNode } from "react";
import type { Setting } from "../place.ts";
import { useMe } from "../session.tsx";
import { useTitle } from "../ui/parts.tsx";
import { AccountPage } from "./account-page.tsx";
import { KeysPage } from "./keys-page.tsx";
import { NodesPage } from "./nodes-page.tsx";
import { TeamPage } from "./team-page.tsx";
import { UsagePage } from "./usage-page.tsx";

const TITLES: Record<Setting, string> = {
  account: "Your account",
  team: "Team",
  keys: "API keys",
  usage: "Plan and usage",
  nodes: "Nodes",
};

/** What is set and seen of the team, and for operators of the service. */
export function SettingsPage({ setting }: { setting: Setting }) {
  const { session, may, isOperator } = useMe();
  useTitle(TITLES[setting]);
  const { team } = session;
  if (setting === "account") return <AccountPage />;
  if (!team)
    return <p className="empty">You are in no team. Ask an admin of a team to add {session.actor.name}.</p>;
  switch (setting) {
    case "team":
      return <TeamPage team={team} />;
    case "keys":
      return may("admin") ? (
        <KeysPage />
      ) : (
        <NotForYou title={TITLES.keys}>Admins of {team.name} manage its keys.</NotForYou>
      );
    case "usage":
      return <UsagePage />;
    case "nodes":
      return isOperator ? (
        <NodesPage />
      ) : (
        <NotForYou title={TITLES.nodes}>
          Admins of the default team, who run this service, see its nodes.
        </NotForYou>
      );
  }
}

function NotForYou({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1>{title}</h1>
      <p className="detail">{children}</p>
    </>
  );
}
