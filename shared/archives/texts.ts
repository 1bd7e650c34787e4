import { figure } from "../text/format.ts";

/** Why an archive is refused. Each text follows "The archive" or names the entry. */
export const ARCHIVE_ERRORS = {
  entry: (path: string, why: string) => `The entry "${path}" ${why}.`,
  /** What is wrong with one entry. */
  emptyName: "has an empty name",
  control: "has control characters in its name",
  encoding: "has a name that is not valid UTF-8",
  backslash: "has a backslash in its name. Use / between folders",
  absolute: "has an absolute path. Paths must be relative to the root of the site",
  traversal: 'has ".." or "." in its path',
  longPath: (bytes: number) => `has a path of more than ${figure(bytes)} bytes`,
  longName: (bytes: number) => `has a name of more than ${figure(bytes)} bytes`,
  deep: (folders: number) => `is in more than ${figure(folders)} folders`,
  duplicate: "is in the archive twice",
  collision: (other: string) => `differs from "${other}" only in upper and lower case`,
  fileAndFolder: "is both a file and a folder",
  link: "is a symbolic or hard link. Replace it with the file that it points to",
  special: "is not a file or a folder",
  encrypted: "is encrypted. Create the archive without a password",
  method: "is compressed with an unsupported method. Use deflate",
  checksum: "is damaged: its checksum doesn't match",
  sizes: "has other bytes than its header says",
  overlap: "shares its bytes with another entry",
  largeFile: (mebibytes: number) => `has more than ${figure(mebibytes)} MiB`,
  /** What is wrong with the archive as a whole. */
  unknown: "The body is not a zip, tar or tar.gz archive.",
  damaged: (why: string) => `The archive is damaged: ${why}.`,
  empty: "The archive has no files.",
  many: (entries: number) => `The archive has more than ${figure(entries)} files and folders.`,
  large: (mebibytes: number) => `The unpacked archive has more than ${figure(mebibytes)} MiB.`,
  ratio: (ratio: number) => `The archive unpacks to more than ${figure(ratio)} times its size.`,
  index: "The stored index of the archive is invalid.",
};
