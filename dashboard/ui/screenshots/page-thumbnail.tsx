import { useEffect, useState } from "react";
import type { Region } from "../../../shared/compare/comparison.ts";
import { type Band, bandAt, bandOf } from "../../../shared/links/thumbnail-widths.ts";
import { outlineOf } from "../../../shared/report/crop.ts";
import { useImageRetry } from "../hooks/use-image-retry.ts";
import { thumbnailAddress } from "./thumbnail-address.ts";

/** A card that is only scrolled past loads no image. */
const STAYS_MS = 100;
/** Minimum height of marks, so that small changes are visible in the sliver of a long page. */
const MIN_MARK_RATIO = 0.012;

/** The sliver is 36 px wide. This is enough for the sharpest screens. */
const SLIVER_PX = 150;

interface PageThumbnailProps {
  /** Null if there is none. */
  image: string | null;
  /** Size of the image, px. */
  width: number;
  height: number;
  /** Visible part of the image, px. */
  crop: Region;
  regions: readonly Region[];
  /** Maximum width of the part, CSS px. */
  shownPx: number;
}

/** Shows a part of a page, and the whole page as a sliver. Its size is known before the image loads. */
export function PageThumbnail({ image, width, height, crop, regions, shownPx }: PageThumbnailProps) {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  const neededPx = (shownPx * devicePixelRatio * width) / crop.width;
  const page = { width, height };
  const index = bandAt(page, crop.y);
  const shown = stays ? image : null;
  return (
    <span className="thumb" aria-hidden="true">
      <svg
        className="crop"
        viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`}
        preserveAspectRatio="xMidYMin slice"
        aria-hidden="true"
      >
        <PartOfPage image={shown} {...page} crop={crop} shownPx={shownPx} />
        {regions.map(region => (
          <rect key={`${region.x} ${region.y}`} className="outline" {...outlineOf(region, crop)} />
        ))}
      </svg>
      <svg
        className="sliver"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="xMidYMin meet"
        aria-hidden="true"
      >
        <rect className="page" width={width} height={height} />
        <ThumbnailImage
          address={shown && thumbnailAddress(shown, page, index === null ? neededPx : SLIVER_PX)}
          width={width}
          top={0}
          height={height}
        />
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

/** Shows a part of a page in its own pixels, from an image that is no larger than needed. */
export function PartOfPage({ image, width, height, crop, shownPx }: Omit<PageThumbnailProps, "regions">) {
  const page = { width, height };
  const neededPx = (shownPx * devicePixelRatio * width) / crop.width;
  const index = bandAt(page, crop.y);
  const band = index === null ? { top: 0, height } : bandOf(page, index);
  return (
    <ThumbnailImage
      address={image && thumbnailAddress(image, page, neededPx, index)}
      width={width}
      {...band}
    />
  );
}

/** Stretches a thumbnail, whose size is rounded, to the page's pixels. Retries if it doesn't load. */
function ThumbnailImage({ address, width, top, height }: Band & { address: string | null; width: number }) {
  const { source, onError } = useImageRetry(address);
  return (
    <image y={top} width={width} height={height} href={source} preserveAspectRatio="none" onError={onError} />
  );
}
