import type { HistoryEntry } from "./history-entry.ts";
import { UrlHistory } from "./url-history.ts";

/** The newest entries of a history. */
export interface HistoryList {
  /** Newest first. */
  entries: HistoryEntry[];
  /** Number of read files that are not valid entries. */
  unreadable: number;
}

/** Lists the newest entries of these URLs or of all. It reads only as many files as needed. */
export async function listHistory(
  historyDir: string,
  urls: string[] | null,
  limit: number,
): Promise<HistoryList> {
  const named = (await historiesOf(historyDir, urls)).map(async history =>
    (await history.names()).map(name => ({ history, name })),
  );
  const newest = (await Promise.all(named)).flat().sort((a, b) => b.name.localeCompare(a.name, "en"));
  const list: HistoryList = { entries: [], unreadable: 0 };
  for (const { history, name } of newest) {
    if (list.entries.length >= limit) break;
    const entry = await history.entry(name);
    if (entry) list.entries.push(entry);
    else list.unreadable += 1;
  }
  return list;
}

/** Lists the URLs with entries, sorted. It reads only the newest valid entry of each. */
export async function listMonitoredUrls(historyDir: string): Promise<string[]> {
  const urls = (await UrlHistory.all(historyDir)).map(async history => {
    for (const name of await history.names()) {
      const entry = await history.entry(name);
      if (entry) return [entry.url];
    }
    return [];
  });
  return (await Promise.all(urls)).flat().sort();
}

/** Deletes entries that are not kept. @returns the number of deleted entries */
export async function pruneHistory(
  historyDir: string,
  urls: string[] | null,
  keeps: (at: Date, newerOnes: number) => boolean,
): Promise<number> {
  let removed = 0;
  for (const history of await historiesOf(historyDir, urls)) removed += await history.prune(keeps);
  return removed;
}

async function historiesOf(historyDir: string, urls: string[] | null): Promise<UrlHistory[]> {
  if (urls === null) return UrlHistory.all(historyDir);
  return urls.map(url => UrlHistory.of(historyDir, url));
}
