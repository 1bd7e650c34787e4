import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { commonTexts } from "../texts/common.ts";
import { wordsOf } from "./say.tsx";

interface MoreProps {
  /** The list, as far as it is read. */
  list: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error" | "fetchNextPage"
  >;
  /** What the button says. */
  children: string;
}

/** Reads the next part of a list where there is one, and says so when that could not be read. */
export function More({ list, children }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = list;
  if (!hasNextPage) return null;
  return (
    <div className="more">
      {isFetchNextPageError && (
        <p className="fault" role="alert">
          <strong>{commonTexts.failedToLoadMore}</strong> {wordsOf(error)}
        </p>
      )}
      <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchingNextPage
          ? commonTexts.loadingMore
          : isFetchNextPageError
            ? commonTexts.tryAgain
            : children}
      </button>
    </div>
  );
}
