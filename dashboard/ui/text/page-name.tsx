import { type NamedPage, pageNameParts } from "../../../shared/contracts/capture/screenshot-key.ts";
import { CutInMiddle } from "./cut-in-middle.tsx";

/** A shorter route is never cut. */
const CUT_FROM = 6;

/**
 * Shows the name of a page on one line. If it doesn't fit, the route is cut first, since the state and the
 * environment tell screenshots of a page apart.
 */
export function PageName({ page }: { page: NamedPage }) {
  const { route, state, environment } = pageNameParts(page);
  return (
    <span className="page-name">
      <span className={route.length < CUT_FROM ? "page-route short" : "page-route"}>
        <CutInMiddle text={route} />
      </span>
      {state && <span className="page-variant">{state}</span>}
      {environment && <span className="page-variant">{environment}</span>}
    </span>
  );
}
