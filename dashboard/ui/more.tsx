import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { commonTexts } from "../texts/common.ts";
import { messageOf } from "./toast.tsx";

interface MoreProps {
  /** The loaded part of the list. */
  list: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error" | "fetchNextPage"
  >;
  /** Text of the button. */
  children: string;
}

/** Loads the next part of a list, and reports errors. */
export function More({ list, children }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = list;
  if (!hasNextPage) return null;
  return (
    <div className="more">
      {isFetchNextPageError && (
        <p className="fault" role="alert">
          <strong>{commonTexts.failedToLoadMore}</strong> {messageOf(error)}
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
