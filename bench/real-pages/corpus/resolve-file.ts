import { join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Site } from "./site.ts";

/** What a request path resolves to. */
export type Resolved = { file: string } | { text: string; path: string };

const PACKAGES = fileURLToPath(new URL("../../node_modules/", import.meta.url));

/** Resolves a request path; null for anything outside the sites' folders. */
export function resolveFile(sites: readonly Site[], requestPath: string): Resolved | null {
  const [, name, rest] = /^\/([^/]+)\/(.*)$/s.exec(decodePath(requestPath) ?? "") ?? [];
  const site = sites.find(one => one.name === name);
  if (site === undefined || rest === undefined) return null;
  const path = rest === "" || rest.endsWith("/") ? `${rest}index.html` : rest;
  const supplement = site.supplements?.[path];
  if (supplement && "text" in supplement) return { text: supplement.text, path };
  return supplement
    ? fileIn(join(PACKAGES, supplement.package), supplement.file)
    : fileIn(join(PACKAGES, site.package, site.root), path);
}

function fileIn(folder: string, path: string): Resolved | null {
  const file = normalize(join(folder, path));
  return file.startsWith(normalize(folder + sep)) ? { file } : null;
}

function decodePath(requestPath: string): string | null {
  try {
    const path = decodeURIComponent(requestPath.replace(/[?#].*$/s, ""));
    return path.includes("\0") ? null : path;
  } catch {
    return null;
  }
}
