// @ts-check
/** Before an image is asked for again at first; each pause is twice the one before, up to half a minute. */
const AGAIN_MS = 1_000;
const DOUBLINGS_AT_MOST = 5;
/** A server that has not said by then whether it has the image is away. */
const SAYS_WITHIN_MS = 5_000;

/**
 * Shows the image of an address. One that does not come is hidden and asked for again for as long as it is in the page,
 * ever later, and at once when the network is back; unless its server says that it has none.
 * @param {HTMLImageElement | SVGImageElement} image
 * @param {string} address
 * @param {(standing: "there" | "awaited" | "gone") => void} tell
 */
export function loadImage(image, address, tell) {
  const load = () => image.setAttribute(image instanceof SVGImageElement ? "href" : "src", address);
  let failures = 0;
  image.addEventListener("load", () => {
    failures = 0;
    image.toggleAttribute("hidden", false);
    tell("there");
  });
  image.addEventListener("error", async () => {
    image.toggleAttribute("hidden", true);
    if (await isGone(address)) {
      tell("gone");
      return;
    }
    tell("awaited");
    await restUntilOnline(AGAIN_MS * 2 ** Math.min(failures, DOUBLINGS_AT_MOST) * (0.5 + Math.random()));
    failures += 1;
    if (image.isConnected) load();
  });
  load();
}

/** Whether it is of no use to ask again: only a server can be away for a while. @param {string} address */
async function isGone(address) {
  if (!/^https?:$/.test(new URL(address, document.baseURI).protocol)) return true;
  try {
    const signal = AbortSignal.timeout(SAYS_WITHIN_MS);
    const { status } = await fetch(address, { method: "HEAD", signal });
    return status === 404;
  } catch {
    return false;
  }
}

/** Ends when the time is over, and before that when the network comes back. @param {number} ms @returns {Promise<void>} */
function restUntilOnline(ms) {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
  });
}
