/** A part of a line; with a URL, a link. */
export interface CardText {
  text: string;
  url?: string;
  isBold?: boolean;
}

/** A message to a chat tool, whichever it is. Its texts are as they came: each tool's file escapes them. */
export interface ChatCard {
  title: string;
  intro: CardText[][];
  /** A line or more for each page; the first matter most. */
  pages: CardText[][];
  /** Pages that are not among those. */
  left: number;
  buttons: { label: string; url: string }[];
}
