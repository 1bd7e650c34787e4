/** The list of stories as a Storybook serves it, or the status of the response without one. */
export type FetchedIndex = { file: string; text: string } | { file: string; status: number } | "too_large";

/**
 * Fetches the first of the files that the Storybook of the page has. The page's own network is used, with the rules and
 * headers of its run. It is sent to the page as text: it must use nothing from outside its body.
 */
export async function fetchIndex({
  files,
  maxBytes,
}: {
  files: readonly string[];
  maxBytes: number;
}): Promise<FetchedIndex> {
  let failed: FetchedIndex = { file: "", status: 0 };
  for (const file of files) {
    // A preview may have a base element of another folder.
    const response = await fetch(new URL(file, location.href));
    if (!response.ok) {
      failed = { file, status: response.status };
      continue;
    }
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    const reader = response.body?.getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        await reader?.cancel();
        return "too_large";
      }
      parts.push(value);
    }
    return { file, text: await new Blob(parts).text() };
  }
  return failed;
}
