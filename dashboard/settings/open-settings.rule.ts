import type { Role } from "../../shared/contracts/runs/runs.ts";
import type { AppLocation, Setting } from "../app-location.ts";
import { shellTexts } from "../texts/shell.ts";

/** What decides which settings someone may open. */
interface Reader {
  session: { team: object | null };
  may: (least: Role) => boolean;
  isOperator: boolean;
}

const hasTeam = ({ session }: Reader) => session.team !== null;
const isAdmin = ({ may }: Reader) => may("admin");

/** Who may open each page of the settings, in the order of their links. */
const SETTINGS: [Setting, (me: Reader) => boolean][] = [
  ["team", hasTeam],
  ["sign-in", isAdmin],
  ["keys", isAdmin],
  ["notifications", hasTeam],
  ["repositories", isAdmin],
  ["webhooks", isAdmin],
  ["usage", hasTeam],
  ["transfer", isAdmin],
  ["code-host", me => me.isOperator],
  ["nodes", me => me.isOperator],
  ["account", () => true],
];

/** Returns the names and locations of the settings that the reader may open. */
export function settingsOf(me: Reader): { name: string; setting: Setting; to: AppLocation }[] {
  return SETTINGS.filter(([, isOpenTo]) => isOpenTo(me)).map(([setting]) => ({
    name: shellTexts.settings[setting],
    setting,
    to: { page: "settings", setting },
  }));
}

/** Returns the first page of the settings that the reader may open. */
export function firstSetting(me: Reader): AppLocation {
  return settingsOf(me)[0]?.to ?? { page: "settings", setting: "account" };
}
