import type { ReactNode } from "react";
import type { AppCreation, Setting } from "../app-location.ts";
import { NotificationsPage } from "../notifications/notifications-page.tsx";
import { RepositoriesPage } from "../repositories/repositories-page.tsx";
import { useMe } from "../session.tsx";
import { SignInSettings } from "../sign-in/sign-in-settings.tsx";
import { repositoryTexts } from "../texts/settings/repositories.ts";
import { settingsTexts } from "../texts/settings/settings.ts";
import { transferTexts } from "../texts/settings/transfer.ts";
import { webhookTexts } from "../texts/settings/webhooks.ts";
import { signInSettingsTexts } from "../texts/sign-in.ts";
import { TransferPage } from "../transfer/transfer-page.tsx";
import { useTitle } from "../ui/parts.tsx";
import { WebhooksPage } from "../webhooks/webhooks-page.tsx";
import { AccountPage } from "./account-page.tsx";
import { CodeHostPage } from "./code-host-page.tsx";
import { KeysPage } from "./keys-page.tsx";
import { NodesPage } from "./nodes-page.tsx";
import { TeamPage } from "./team-page.tsx";
import { UsagePage } from "./usage/usage-page.tsx";

/** Shows the team's settings and usage, and for operators those of the service. */
export function SettingsPage({ setting, created }: { setting: Setting; created?: AppCreation | undefined }) {
  const { session, may, isOperator } = useMe();
  useTitle(settingsTexts.titles[setting]);
  const { team } = session;
  if (setting === "account") return <AccountPage />;
  if (!team) return <p className="empty">{settingsTexts.noTeam(session.actor.name)}</p>;
  switch (setting) {
    case "team":
      return <TeamPage team={team} />;
    case "sign-in":
      return may("admin") ? (
        <SignInSettings team={team} />
      ) : (
        <NotForYou title={settingsTexts.titles["sign-in"]}>
          {signInSettingsTexts.forAdmins(team.name)}
        </NotForYou>
      );
    case "keys":
      return may("admin") ? (
        <KeysPage />
      ) : (
        <NotForYou title={settingsTexts.titles.keys}>{settingsTexts.keysForAdmins(team.name)}</NotForYou>
      );
    case "notifications":
      return <NotificationsPage team={team} />;
    case "webhooks":
      return may("admin") ? (
        <WebhooksPage />
      ) : (
        <NotForYou title={settingsTexts.titles.webhooks}>{webhookTexts.forAdmins(team.name)}</NotForYou>
      );
    case "repositories":
      return may("admin") ? (
        <RepositoriesPage />
      ) : (
        <NotForYou title={settingsTexts.titles.repositories}>
          {repositoryTexts.forAdmins(team.name)}
        </NotForYou>
      );
    case "transfer":
      return may("admin") ? (
        <TransferPage team={team} />
      ) : (
        <NotForYou title={settingsTexts.titles.transfer}>{transferTexts.forAdmins(team.name)}</NotForYou>
      );
    case "usage":
      return <UsagePage />;
    case "nodes":
      return isOperator ? (
        <NodesPage />
      ) : (
        <NotForYou title={settingsTexts.titles.nodes}>{settingsTexts.nodesForOperators}</NotForYou>
      );
    case "code-host":
      return isOperator ? (
        <CodeHostPage created={created ?? null} />
      ) : (
        <NotForYou title={settingsTexts.titles["code-host"]}>{settingsTexts.codeHostForOperators}</NotForYou>
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
