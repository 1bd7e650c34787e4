/** The first entry of an export file: what it has. */
export const MANIFEST_ENTRY = { name: "manifest.json", maxBytes: 16 * 1024 * 1024 } as const;

const TAR_BLOCK = 512;
/** The fields of a tar header. */
const NAME = [0, 100] as const;
const SIZE = [124, 136] as const;

/**
 * Returns the SHA-256 of the manifest of an export file, by which an upload that broke off finds its import again.
 * @param read returns the bytes of the file from one offset to another
 * @returns null for another file, and in browsers without encryption, which can't hash
 */
export async function manifestHash(
  read: (from: number, to: number) => Promise<ArrayBuffer>,
): Promise<string | null> {
  const { subtle } = crypto;
  if (subtle === undefined) return null;
  const header = new Uint8Array(await read(0, TAR_BLOCK));
  const size = Number.parseInt(fieldOf(header, SIZE), 8);
  if (fieldOf(header, NAME) !== MANIFEST_ENTRY.name || !(size <= MANIFEST_ENTRY.maxBytes)) return null;
  const bytes = await read(TAR_BLOCK, TAR_BLOCK + size);
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("");
}

function fieldOf(header: Uint8Array, [from, to]: readonly [number, number]): string {
  const [text = ""] = new TextDecoder().decode(header.subarray(from, to)).split("\0");
  return text.trim();
}
