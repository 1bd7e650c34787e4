import { useImageRetry } from "../hooks/use-image-retry.ts";
import { thumbnailAddress } from "./thumbnail-address.ts";

interface SmallScreenshotProps {
  /** The page's image; null if there is none. */
  image: string | null;
  /** Size of the image, px. */
  width: number | null;
  height: number | null;
  /** Displayed width, CSS px. */
  shownPx: number;
  className: string;
}

/**
 * Shows a whole page as a small image once it is visible. The text beside it describes it. Empty without an
 * image.
 */
export function SmallScreenshot({ image, width, height, shownPx, className }: SmallScreenshotProps) {
  const isThere = image !== null && width !== null && height !== null;
  const address = isThere ? thumbnailAddress(image, { width, height }, shownPx * devicePixelRatio) : null;
  const { source, onError } = useImageRetry(address);
  if (!isThere) return <span className={className} aria-hidden="true" />;
  return <img className={className} src={source} alt="" loading="lazy" decoding="async" onError={onError} />;
}
