import { useImageRetry } from "./hooks/use-image-retry.ts";
import { thumbnailAddress } from "./thumbnail-address.ts";

interface SmallScreenshotProps {
  /** The page's image; null where there is none. */
  image: string | null;
  /** Its size, px. */
  width: number | null;
  height: number | null;
  /** How wide it is shown, CSS px. */
  shownPx: number;
  className: string;
}

/** A whole page, small, once it is scrolled to; its words stand beside it. An empty place where there is no image. */
export function SmallScreenshot({ image, width, height, shownPx, className }: SmallScreenshotProps) {
  const isThere = image !== null && width !== null && height !== null;
  const address = isThere ? thumbnailAddress(image, { width, height }, shownPx * devicePixelRatio) : null;
  const { source, onError } = useImageRetry(address);
  if (!isThere) return <span className={className} aria-hidden="true" />;
  return <img className={className} src={source} alt="" loading="lazy" decoding="async" onError={onError} />;
}
