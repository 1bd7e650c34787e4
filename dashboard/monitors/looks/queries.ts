import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { LooksView } from "../../../shared/contracts/runs/looks.ts";
import { requestJson } from "../../api/request.ts";
import { momentValues } from "./moment.ts";

/** Two images take a fraction of a second. */
const POLL_MS = 1_000;

/** Loads the looks of a page. @param last the latest check: a newer one reloads them */
export const looksQuery = (id: string, page: ScreenshotKey, last: string | null) =>
  queryOptions({
    queryKey: ["looks", id, page, last],
    queryFn: () => {
      const given = Object.entries(momentValues(page)).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(given.map(([name, value]) => [name, value ?? ""]));
      return requestJson<LooksView>(`v1/monitors/${encodeURIComponent(id)}/looks?${search}`);
    },
    refetchInterval: ({ state }) => (state.data?.status === "comparing" ? POLL_MS : false),
    placeholderData: keepPreviousData,
  });
