/** Chat tools whose webhooks take their own card formats. */
export type CardTool = "teams" | "google-chat" | "discord";

/** Hosts of Power Automate workflows that post to Teams, and of the connectors before them. */
const TEAMS_WORKFLOWS = /\.(logic\.azure\.(com|us)|api\.powerplatform\.(com|us))$/;
const TEAMS_CONNECTORS = /(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/;
const TRIGGER_PATH = /\/triggers\/[^/]+\/paths\/invoke\/?$/;
/** Paths that stay the same behind a proxy. */
const TEAMS_PATH = /\/workflows\/[0-9a-f]{32}\/triggers\/[^/]+\/paths\/invoke\/?$/;
const DISCORD = /^((ptb|canary)\.)?discord(app)?\.com$/;
const DISCORD_PATH = /^\/api(\/v\d+)?\/webhooks\/\d+\/[^/]+\/?$/;
/** Paths where Discord takes the format of another tool. */
const OTHER_FORMAT = /\/(slack|github)\/?$/;
const GOOGLE_CHAT = "chat.googleapis.com";
const GOOGLE_CHAT_PATH = /^\/v1\/spaces\/[^/]+\/messages\/?$/;

/** Returns the chat tool of a webhook by its URL. Null for any other receiver. */
export function cardToolOf(address: string): CardTool | null {
  const url = URL.parse(address);
  if (!url) return null;
  const { hostname, pathname } = url;
  if (hostname === GOOGLE_CHAT || GOOGLE_CHAT_PATH.test(pathname)) return "google-chat";
  const isDiscord = DISCORD.test(hostname) && pathname.includes("/webhooks/");
  if (DISCORD_PATH.test(pathname) || (isDiscord && !OTHER_FORMAT.test(pathname))) return "discord";
  if (TEAMS_CONNECTORS.test(hostname) || TEAMS_PATH.test(pathname)) return "teams";
  return TEAMS_WORKFLOWS.test(hostname) && TRIGGER_PATH.test(pathname) ? "teams" : null;
}
