import { writeFileSync } from "node:fs";
import type { TestResult } from "playwright/types/testReporter";
import type { AttachedFile } from "../screenshots/find-screenshots.ts";
import { ATTACHMENT_FOLDER } from "./attachments.ts";

type Attachment = TestResult["attachments"][number];

/** Name of the attachment with what a test printed. */
const CONSOLE = "console";
/** Name of the attachment that each missing snapshot makes Playwright write. */
const ERROR_CONTEXT = "error-context";
/** What Playwright prints for each snapshot that it writes, which are all of them. */
const MISSING = /^A snapshot doesn't exist at .*, writing actual\.\n*/gm;
/** Of what a test printed. */
const MAX_CONSOLE_CHARS = 1024 * 1024;
const NAME_CHARS = 80;

/**
 * Returns the files of an attempt that explain its screenshots: Playwright's trace, HAR files, texts, and what the test
 * printed. Videos and screenshots of failures stay in Playwright's own report.
 * @param nextPath returns a path for a new file
 */
export function filesOfAttempt(
  { attachments, stdout, stderr }: TestResult,
  nextPath: () => string,
): AttachedFile[] {
  const written = (name: string, content: string | Buffer): AttachedFile => {
    const path = nextPath();
    writeFileSync(path, content);
    return { name, path };
  };
  const files = attachments.filter(isExplaining).flatMap(({ name, path, body }): AttachedFile[] => {
    const shown =
      name
        .replaceAll(/\p{Cc}+/gu, " ")
        .trim()
        .slice(0, NAME_CHARS)
        .trim() || "attachment";
    if (path !== undefined) return [{ name: shown, path }];
    return body === undefined ? [] : [written(shown, body)];
  });
  const printed = [...stdout, ...stderr].join("").replaceAll(MISSING, "").slice(0, MAX_CONSOLE_CHARS);
  return printed.trim() === "" ? files : [...files, written(CONSOLE, printed)];
}

/** Returns the files of all attempts of a test, those of the last one first. Names say which attempt a file is of. */
export function namedByAttempt(attempts: readonly AttachedFile[][]): AttachedFile[] {
  if (attempts.length === 1) return attempts[0] ?? [];
  return attempts
    .flatMap((files, index) => [
      files.map(file => ({ ...file, name: `${file.name} (attempt ${index + 1})` })),
    ])
    .reverse()
    .flat();
}

function isExplaining({ name, contentType }: Attachment): boolean {
  if (name.startsWith(ATTACHMENT_FOLDER) || name === ERROR_CONTEXT) return false;
  return name === "trace" || /\.har$/i.test(name) || /^(text\/|application\/json\b)/.test(contentType);
}
