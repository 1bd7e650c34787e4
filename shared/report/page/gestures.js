// @ts-check
/** A wheel step of 100 px zooms by about a fifth. */
const ZOOM_PER_WHEEL_PX = 0.002;

/** @typedef {{ clientX: number, clientY: number }} ScreenPoint */

/**
 * Handles gestures: dragging and the wheel move; Ctrl with the wheel, or two fingers, zooms.
 * @param {HTMLElement} stage
 * @param {{ panBy: (dx: number, dy: number) => void, zoomBy: (factor: number, at: ScreenPoint) => void }} to
 */
export function listenToGestures(stage, to) {
  stage.addEventListener(
    "wheel",
    event => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) to.zoomBy(Math.exp(-event.deltaY * ZOOM_PER_WHEEL_PX), event);
      else if (event.shiftKey && event.deltaX === 0) to.panBy(-event.deltaY, 0);
      else to.panBy(-event.deltaX, -event.deltaY);
    },
    { passive: false },
  );
  listenToPointers(stage, to);
}

/** @type {typeof listenToGestures} */
function listenToPointers(stage, to) {
  /** @type {Map<number, PointerEvent>} */
  const pointers = new Map();
  stage.addEventListener("pointerdown", event => {
    if (event.button !== 0 || !(event.target instanceof Element) || !event.target.closest(".pane")) return;
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
  });
  stage.addEventListener("pointermove", event => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const other = [...pointers.values()].find(pointer => pointer.pointerId !== event.pointerId);
    if (other) to.zoomBy(distance(event, other) / Math.max(1, distance(before, other)), middle(event, other));
    else to.panBy(event.clientX - before.clientX, event.clientY - before.clientY);
    pointers.set(event.pointerId, event);
  });
  const release = (/** @type {PointerEvent} */ event) => pointers.delete(event.pointerId);
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
}

/** @param {ScreenPoint} a @param {ScreenPoint} b @returns {ScreenPoint} */
function middle(a, b) {
  return { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
}

/** @param {ScreenPoint} a @param {ScreenPoint} b */
function distance(a, b) {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
