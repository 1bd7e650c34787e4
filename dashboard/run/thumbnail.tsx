import { thumbnailOf } from "../../shared/report/crop.ts";
import type { Shot } from "../api/shot.ts";
import { PageThumbnail } from "../ui/page-thumbnail.tsx";

/** Width of a card's crop in most windows, CSS px. */
const SHOWN_PX = 320;

/** Shows a page cropped around its first change, and the whole page as a sliver. */
export function Thumbnail({ shot }: { shot: Shot }) {
  const thumbnail = thumbnailOf(shot);
  if (thumbnail === null) return null;
  const { side, ...part } = thumbnail;
  return <PageThumbnail {...part} image={shot.images[side]} regions={shot.regions} shownPx={SHOWN_PX} />;
}
