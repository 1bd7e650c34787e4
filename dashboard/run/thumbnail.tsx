import { useEffect, useState } from "react";
import { thumbnailOf } from "../../shared/report/crop.ts";
import type { Shot } from "../api/shot.ts";

/** A card that is only scrolled past asks for no image. */
const STAYS_MS = 100;
/** A hairline of a change would not be seen in the sliver of a long page: marks are at least this part of it. */
const MIN_MARK_RATIO = 0.012;

/** A page cropped around its first change, and the whole of it as a sliver. Its size is known before its image is. */
export function Thumbnail({ shot }: { shot: Shot }) {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  const thumbnail = thumbnailOf(shot);
  if (thumbnail === null) return null;
  const { crop, side, width, height } = thumbnail;
  const image = stays ? (shot.images[side] ?? undefined) : undefined;
  return (
    <span className="thumb" aria-hidden="true">
      <svg
        className="crop"
        viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`}
        preserveAspectRatio="xMidYMin slice"
        aria-hidden="true"
      >
        <image width={width} height={height} href={image} />
        {shot.regions.map(region => (
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
        <image width={width} height={height} href={image} />
        {shot.regions.map(region => (
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
