import { ARCHIVE_ERRORS } from "./texts.ts";

const MAX_SHOWN = 200;

/** An archive that can't be used. The message says why, for its sender. */
export class InvalidArchiveError extends Error {
  override name = "InvalidArchiveError";
}

/** Returns the error for one entry. @param why what follows the name of the entry */
export function invalidEntry(path: string, why: string): InvalidArchiveError {
  // A name can have any bytes.
  const shown = path.replace(/\p{C}/gu, "�");
  return new InvalidArchiveError(
    ARCHIVE_ERRORS.entry(shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown, why),
  );
}
