// @ts-check
/** Pause before the first retry. It doubles with each retry, up to half a minute. */
const RETRY_MS = 1_000;
const MAX_DOUBLINGS = 5;
/** A server that doesn't answer in this time is unreachable. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Shows an image. If it fails to load, hides it and retries with a backoff while the element is in the page,
 * and at once when the network is back. Stops if the server no longer has the image.
 * @param {HTMLImageElement | SVGImageElement} image
 * @param {string} address
 * @param {(state: "loaded" | "retrying" | "deleted") => void} onState
 */
export function loadImage(image, address, onState) {
  const load = () => image.setAttribute(image instanceof SVGImageElement ? "href" : "src", address);
  let failures = 0;
  image.addEventListener("load", () => {
    failures = 0;
    image.toggleAttribute("hidden", false);
    onState("loaded");
  });
  image.addEventListener("error", async () => {
    image.toggleAttribute("hidden", true);
    if (await isDeleted(address)) {
      onState("deleted");
      return;
    }
    onState("retrying");
    await waitUntilOnline(RETRY_MS * 2 ** Math.min(failures, MAX_DOUBLINGS) * (0.5 + Math.random()));
    failures += 1;
    if (image.isConnected) load();
  });
  load();
}

/** Returns whether a retry is pointless. An unreachable server may come back. @param {string} address */
async function isDeleted(address) {
  if (!/^https?:$/.test(new URL(address, document.baseURI).protocol)) return true;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const { status } = await fetch(address, { method: "HEAD", signal });
    return status === 404;
  } catch {
    return false;
  }
}

/** Waits until the time is over or the network comes back. @param {number} ms @returns {Promise<void>} */
function waitUntilOnline(ms) {
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
