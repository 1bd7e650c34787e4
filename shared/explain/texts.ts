/** All texts of explanations. Code is in backticks. */

import type { CauseFile } from "../contracts/runs/explanation.ts";

const MAX_VALUE_CHARS = 60;
/** Characters of a difference that are shown at least, and characters before it. */
const MIN_SHOWN_CHARS = 20;
const LEAD_CHARS = 15;

function code(text: string): string {
  const plain = text.replaceAll("`", "'");
  return `\`${plain.length > MAX_VALUE_CHARS ? `${plain.slice(0, MAX_VALUE_CHARS)}…` : plain}\``;
}

function value(text: string | null): string {
  if (text === null || text === "") return "none";
  const color = hexOf(text);
  if (color !== null) return color;
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}

/** Returns a color as stylesheets have it, such as `#1d4ed8` or `#1d4ed880`; null for anything else. */
function hexOf(text: string): string | null {
  const rgb = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
  const srgb = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(text);
  const [, red, green, blue, alpha = "1"] = rgb ?? srgb ?? [];
  if (red === undefined) return null;
  if (Number(alpha) === 0) return "transparent";
  const most = rgb ? 1 : 255;
  const channels = [red, green, blue].map(channel => Number(channel) * most);
  if (alpha !== "1") channels.push(Number(alpha) * 255);
  return `#${channels.map(channel => Math.min(255, Math.round(channel)).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns two texts, cut where they differ. */
function differing(before: string, after: string): [string, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  if (start < MAX_VALUE_CHARS - MIN_SHOWN_CHARS) return [before, after];
  const word = before.lastIndexOf(" ", start - LEAD_CHARS) + 1;
  const from = Math.max(word, start - 2 * LEAD_CHARS);
  return [`…${before.slice(from)}`, `…${after.slice(from)}`];
}

function quoted(text: string): string {
  return `“${text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text}”`;
}

function imageName(name: string): string {
  return name === "" ? "an inline image" : code(name);
}

function imageText(name: string | null): string {
  return name === null || name === "" ? "an inline image" : `the image ${code(name)}`;
}

function count(elements: number): string {
  return elements === 1 ? "" : `, ${elements} elements`;
}

export const CAUSE_TEXTS = {
  code,
  failed: (file: string, why: string) => `${code(file)} failed to load (${why})`,
  missing: (file: string) => `${code(file)} is no longer loaded`,
  recovered: (file: string) => `${code(file)} loads again`,
  font: (family: string) => `The font ${code(family)} did not load, so another font replaces it`,
  browser: (before: string, after: string) => `The browser changed from ${before} to ${after}`,
  viewport: (before: string, after: string) => `The viewport changed from ${before} to ${after}`,
  status: (status: number) => `The page responded with status ${status}`,
  redirect: (path: string) => `The page led to ${code(path)}`,
  style: (
    selector: string,
    property: string,
    before: string | null,
    after: string | null,
    elements: number,
  ) => `${code(selector)} ${property} ${value(before)} → ${value(after)}${count(elements)}`,
  added: (selector: string, elements: number) => `${code(selector)} was added${count(elements)}`,
  removed: (selector: string, elements: number) => `${code(selector)} was removed${count(elements)}`,
  shown: (selector: string, elements: number) => `${code(selector)} is now shown${count(elements)}`,
  hidden: (selector: string, elements: number) => `${code(selector)} is now hidden${count(elements)}`,
  reordered: (selector: string, elements: number) =>
    `${code(selector)} changed its position${count(elements)}`,
  text: (selector: string, before: string, after: string) => {
    if (before === "") return `${code(selector)} got the text ${quoted(after)}`;
    if (after === "") return `${code(selector)} lost the text ${quoted(before)}`;
    const [was, is] = differing(before, after);
    return `${code(selector)} text ${quoted(was)} → ${quoted(is)}`;
  },
  texts: (selector: string, elements: number) => `${code(selector)} has other text, ${elements} elements`,
  /** @param before null without an image, empty for an inline one */
  image: (selector: string, before: string | null, after: string | null) => {
    if (before === null) return `${code(selector)} got ${imageText(after)}`;
    if (after === null) return `${code(selector)} lost ${imageText(before)}`;
    if (before !== after) return `${code(selector)} image ${imageName(before)} → ${imageName(after)}`;
    return `${code(selector)} shows another image`;
  },
  resized: (selector: string, before: string, after: string, elements: number) =>
    `${code(selector)} size ${before} → ${after}${count(elements)}`,
  by: (text: string, file: string, how: string) => `${text}, by ${code(file)} (${how})`,
  byVariable: (text: string, variable: string, file: string, how: string) =>
    `${text}, by ${code(variable)} in ${code(file)} (${how})`,
  changedSince: (path: string, sha: string) => `${code(path)} (changed since ${sha})`,
  page: "the page's HTML",
  byPage: (text: string) => `${text}, by the page's HTML (changed)`,
};

/** What happened to a file. */
export const FILE_CHANGES: Record<CauseFile["change"], string> = {
  changed: "changed",
  added: "new",
  removed: "no longer loaded",
  failed: "failed to load",
};

function elementsText(elements: number): string {
  return elements === 1 ? "1 element" : `${elements} elements`;
}

export const EFFECT_TEXTS = {
  moved: (elements: number, distance: string, cause: string | null) =>
    `${elementsText(elements)} moved ${distance}${cause === null ? "" : `, because ${cause}`}`,
  resized: (elements: number) => `${elementsText(elements)} changed size`,
  down: (px: number) => `${px} px down`,
  up: (px: number) => `${px} px up`,
  right: (px: number) => `${px} px right`,
  left: (px: number) => `${px} px left`,
  both: (first: string, second: string) => `${first} and ${second}`,
  wasAdded: (selector: string) => `${code(selector)} was added`,
  wasRemoved: (selector: string) => `${code(selector)} was removed`,
  changed: (selector: string) => `${code(selector)} changed`,
};

export const ACCESSIBILITY_TEXTS = {
  nameLost: (selector: string, role: string) => `${code(selector)} (${role}) lost its name`,
  nameChanged: (selector: string, before: string, after: string) =>
    `${code(selector)} name ${quoted(before)} → ${quoted(after)}`,
  roleChanged: (selector: string, before: string, after: string) =>
    `${code(selector)} role ${before} → ${after}`,
  contrast: (selector: string, before: string, after: string, elements: number) =>
    `${code(selector)} contrast ${before} → ${after}, below AA${count(elements)}`,
};
