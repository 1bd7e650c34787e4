import { useEffect } from "react";
import type { AppLocation } from "../app-location.ts";
import { NavLinks } from "../nav-links.tsx";
import { navigate } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { shellTexts } from "../texts/shell.ts";
import { firstSetting, settingsOf } from "./open-settings.rule.ts";

/** Opens the first page of the settings, in place of the URL without one. */
export function SettingsStart() {
  const first = firstSetting(useMe());
  useEffect(() => navigate(first, "replace"), [first]);
  return null;
}

/** Links the pages of the settings, below the header. */
export function SettingsNav({ location }: { location: AppLocation }) {
  const me = useMe();
  // The checkout returns to a page of its own.
  const current = location.page === "settings" ? location.setting : location.page === "billing" && "usage";
  return (
    <NavLinks
      className="sub"
      label={shellTexts.settingsNavigation}
      links={settingsOf(me).map(({ name, setting, to }) => ({ name, to, isCurrent: setting === current }))}
    />
  );
}
