import type { Cause, CauseFile, Explanation } from "../contracts/runs/explanation.ts";
import { fileKey } from "./loaded-files.ts";
import { CAUSE_TEXTS, FILE_CHANGES } from "./texts.ts";

/** The files that changed since a commit. */
export interface CommitFiles {
  /** SHA of the commit. */
  since: string;
  /** Paths in the repository. */
  paths: readonly string[];
}

const SHORT_SHA = 7;
/** Endings of sources, by the ending of what is built from them. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  css: ["css", "scss", "sass", "less", "styl", "pcss", "postcss"],
  js: ["js", "mjs", "cjs", "ts", "mts", "jsx", "tsx", "vue", "svelte"],
  mjs: ["mjs", "js", "ts", "mts"],
};
/** The end of a cause's text that names its file. */
const NAMED_FILE = new RegExp(`\`([^\`]+)\` \\(${FILE_CHANGES.changed}\\)$`);

/** Names the files of the repository that the causes of a change come from, where exactly one matches. */
export function nameChangedFiles(explanation: Explanation, commit: CommitFiles): Explanation {
  return { ...explanation, causes: explanation.causes.map(cause => nameFile(cause, commit)) };
}

function nameFile(cause: Cause, { since, paths }: CommitFiles): Cause {
  const { file } = cause;
  if (file === null || file.change !== "changed") return cause;
  const path = findPath(file, paths);
  if (path === null) return cause;
  const line = /:\d+$/.exec(file.source ?? "")?.[0] ?? "";
  const short = since.slice(0, SHORT_SHA);
  const words = CAUSE_TEXTS.changedSince(`${path}${line}`, short);
  return {
    ...cause,
    text: cause.text.replace(NAMED_FILE, () => words),
    file: { ...file, source: `${path}${line}`, since: short },
  };
}

/** Returns the changed path that a file comes from; null if none or several match equally well. */
function findPath({ url, source }: CauseFile, paths: readonly string[]): string | null {
  const wanted = (source?.replace(/:\d+$/, "") ?? fileKey(url, url)).split("/").filter(part => part !== "");
  const [stem, ending] = nameParts(wanted.at(-1) ?? "");
  const endings = source === undefined ? (SOURCES[ending] ?? [ending]) : [ending];
  const scored = paths.flatMap(path => {
    const parts = path.split("/");
    const [own, ownEnding] = nameParts(parts.at(-1) ?? "");
    return own === stem && endings.includes(ownEnding)
      ? [{ path, folders: sharedFolders(parts, wanted) }]
      : [];
  });
  const most = Math.max(...scored.map(({ folders }) => folders));
  const [best, ...others] = scored.filter(({ folders }) => folders === most);
  return best !== undefined && others.length === 0 ? best.path : null;
}

/** Returns a file's name without its ending and build hash, and the ending. */
function nameParts(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  if (dot === -1) return [name, ""];
  return [name.slice(0, dot).replace(/[.\-_]\*.*$/, ""), name.slice(dot + 1).toLowerCase()];
}

/** Returns how many folders above the file are equal. */
function sharedFolders(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length - 1 && count < b.length - 1 && a.at(-2 - count) === b.at(-2 - count)) count++;
  return count;
}
