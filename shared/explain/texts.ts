/** All texts of explanations. Code is in backticks. */

import type { CauseFile } from "../contracts/runs/explanation.ts";

const MAX_VALUE_CHARS = 60;

function code(text: string): string {
  const plain = text.replaceAll("`", "'");
  return `\`${plain.length > MAX_VALUE_CHARS ? `${plain.slice(0, MAX_VALUE_CHARS)}…` : plain}\``;
}

function value(text: string | null): string {
  if (text === null || text === "") return "none";
  const color = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(text);
  if (color)
    return `#${color
      .slice(1)
      .map(channel => Number(channel).toString(16).padStart(2, "0"))
      .join("")}`;
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}

function quoted(text: string): string {
  return `“${text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text}”`;
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
    return `${code(selector)} text ${quoted(before)} → ${quoted(after)}`;
  },
  texts: (selector: string, elements: number) => `${code(selector)} has other text, ${elements} elements`,
  image: (selector: string, before: string, after: string) =>
    before === after
      ? `${code(selector)} shows another image at ${code(after)}`
      : `${code(selector)} image ${code(before)} → ${code(after)}`,
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
