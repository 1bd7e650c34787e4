/** A part of a line. With a URL, it is a link. */
export interface CardText {
  text: string;
  url?: string;
  isBold?: boolean;
}

/** A message to any chat tool. Its texts are not escaped: each tool's file escapes them. */
export interface ChatCard {
  title: string;
  intro: CardText[][];
  /** One or more lines per page, most important first. */
  pages: CardText[][];
  /** Number of pages that are left out. */
  left: number;
  buttons: { label: string; url: string }[];
  /** Buttons that the service itself handles, for tools with an app. */
  actions?: { id: string; value: string; label: string; isPositive: boolean }[];
  /** What happened, for tools that show a color. */
  tone?: "changed" | "down" | "recovered";
  /** When it happened, for tools that show it. */
  at?: string;
}
