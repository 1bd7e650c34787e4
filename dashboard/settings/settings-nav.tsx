import type { AppLocation, Setting } from "../app-location.ts";
import { NavLinks } from "../nav-links.tsx";
import { type Me, useMe } from "../session.tsx";
import { shellTexts } from "../texts/shell.ts";

/** Who may open each page of the settings, in the order of their links. */
const SETTINGS: [Setting, (me: Me) => boolean][] = [
  ["team", () => true],
  ["sign-in", me => me.may("admin")],
  ["keys", me => me.may("admin")],
  ["notifications", () => true],
  ["repositories", me => me.may("admin")],
  ["webhooks", me => me.may("admin")],
  ["usage", () => true],
  ["transfer", me => me.may("admin")],
  ["code-host", me => me.isOperator],
  ["nodes", me => me.isOperator],
  ["account", () => true],
];

/** Returns the names and locations of the settings that the reader may open. */
export function settingsOf(me: Me): { name: string; setting: Setting; to: AppLocation }[] {
  return SETTINGS.filter(([, isOpenTo]) => isOpenTo(me)).map(([setting]) => ({
    name: shellTexts.settings[setting],
    setting,
    to: { page: "settings", setting },
  }));
}

/** Links the pages of the settings, below the header. */
export function SettingsNav({ location }: { location: AppLocation }) {
  const me = useMe();
  // The checkout returns to a page of its own.
  const current = location.page === "settings" ? location.setting : "usage";
  return (
    <NavLinks
      className="sub"
      label={shellTexts.settingsNavigation}
      links={settingsOf(me).map(({ name, setting, to }) => ({ name, to, isCurrent: setting === current }))}
    />
  );
}
