import { ARCHIVE_ERRORS } from "./texts.ts";

const MAX_SHOWN = 200;

/** An archive that can't be used. The message says why, for its sender. */
export class InvalidArchiveError extends Error {
  override name = "InvalidArchiveError";
}

/** Returns the error of reading an archive: that it is damaged, except for failures of the disk that it is unpacked to. */
export function readingError(error: unknown): Error {
  if (error instanceof InvalidArchiveError) return error;
  if (error instanceof Error && "syscall" in error) return error;
  return new InvalidArchiveError(
    ARCHIVE_ERRORS.damaged(error instanceof Error ? error.message : String(error)),
  );
}

/** Returns the error for one entry. @param why what follows the name of the entry */
export function invalidEntry(path: string, why: string): InvalidArchiveError {
  // A name can have any bytes.
  const shown = path.replace(/\p{C}/gu, "�");
  return new InvalidArchiveError(
    ARCHIVE_ERRORS.entry(shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown, why),
  );
}
