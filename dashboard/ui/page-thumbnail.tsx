import { useEffect, useState } from "react";
import type { Region } from "../../shared/compare/comparison.ts";
import { thumbnailAddress } from "./thumbnail-address.ts";

/** A card that is only scrolled past asks for no image. */
const STAYS_MS = 100;
/** A hairline of a change would not be seen in the sliver of a long page: marks are at least this part of it. */
const MIN_MARK_RATIO = 0.012;

interface PageThumbnailProps {
  /** Null where there is none. */
  image: string | null;
  /** Size of that image, px. */
  width: number;
  height: number;
  /** The part to show, px of that image. */
  crop: Region;
  regions: readonly Region[];
  /** How wide the part is shown at most, CSS px. */
  shownPx: number;
}

/** A part of a page, and the whole of it as a sliver. Its size is known before its image is. */
export function PageThumbnail({ image, width, height, crop, regions, shownPx }: PageThumbnailProps) {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  const neededPx = (shownPx * devicePixelRatio * width) / crop.width;
  const address = stays && image ? thumbnailAddress(image, { width, height }, neededPx) : undefined;
  // A thumbnail's sides are whole pixels: stretched, it covers the page all the same.
  const picture = <image width={width} height={height} href={address} preserveAspectRatio="none" />;
  return (
    <span className="thumb" aria-hidden="true">
      <svg
        className="crop"
        viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`}
        preserveAspectRatio="xMidYMin slice"
        aria-hidden="true"
      >
        {picture}
        {regions.map(region => (
          <rect key={`${region.x} ${region.y}`} className="outline" {...region} />
        ))}
      </svg>
      <svg
        className="sliver"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="xMidYMin meet"
        aria-hidden="true"
      >
        <rect className="page" width={width} height={height} />
        {picture}
        {regions.map(region => (
          <rect
            key={`${region.x} ${region.y}`}
            className="mark"
            x="0"
            y={region.y}
            width={width}
            height={Math.max(region.height, height * MIN_MARK_RATIO)}
          />
        ))}
      </svg>
    </span>
  );
}
